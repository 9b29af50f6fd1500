-- Results that count for the table of a league, one row for each of the two teams. Scores are those of
-- `leagues`; where it has none yet, that of `incidents`. Knock-out rounds, play-offs and groups do not count,
-- nor matches without a score.
WITH counted AS (
    SELECT
        b.match_id,
        b.competition,
        b.season,
        b.match_date,
        b.home_slug,
        b.away_slug,
        coalesce(b.home_leagues, b.home_incidents) AS home_goals,
        coalesce(b.away_leagues, b.away_incidents) AS away_goals
    FROM soccer_match_base AS b
    WHERE b.phase = 'regular'
),

sides AS (
    SELECT
        match_id,
        competition,
        season,
        match_date,
        home_slug AS team,
        away_slug AS opponent,
        true AS is_home,
        home_goals AS goals_for,
        away_goals AS goals_against
    FROM counted WHERE home_goals IS NOT NULL AND away_goals IS NOT NULL
    UNION ALL
    SELECT
        match_id,
        competition,
        season,
        match_date,
        away_slug,
        home_slug,
        false,
        away_goals,
        home_goals
    FROM counted WHERE home_goals IS NOT NULL AND away_goals IS NOT NULL
)

SELECT
    *,
    CASE WHEN goals_for > goals_against THEN 'W' WHEN goals_for = goals_against THEN 'D' ELSE 'L' END AS result,
    CASE WHEN goals_for > goals_against THEN 3 WHEN goals_for = goals_against THEN 1 ELSE 0 END AS points
FROM sides
