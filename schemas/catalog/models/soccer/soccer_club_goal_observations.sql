-- What DNA of clubs from results is made of: a row for each club and match that counts for the table of a league, in
-- the pool of the league as in `soccer_club_rating_contests`. Not counted: play-offs, whose goals may be of extra time;
-- matches whose phase is not stated; results that were awarded. `o_` is the opponent's.
-- Sources leave out the half-time of matches that ended without goals, which were goalless then too; any other that is
-- left out is unknown, and counting none but those stated would raise every mean.
-- Leagues of one season or less, Brazil and the MLS, are no pool: see the file of the DNA.
WITH results AS (
    SELECT
        m.competition,
        m.season,
        m.match_date,
        m.home_slug,
        m.away_slug,
        m.home_score,
        m.away_score,
        CASE WHEN m.home_score + m.away_score = 0 THEN 0 ELSE m.home_half_time END AS home_first,
        CASE WHEN m.home_score + m.away_score = 0 THEN 0 ELSE m.away_half_time END AS away_first
    FROM soccer_matches AS m
    WHERE
        m.status = 'final' AND m.phase = 'regular' AND m.match_date IS NOT NULL
        AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL
        AND m.competition IN (
            'bundesliga', 'championship', 'eredivisie', 'la-liga',
            'ligue-1', 'premier-league', 'primeira-liga', 'serie-a'
        )
),

sides AS (
    SELECT
        home_slug AS team_slug,
        competition,
        season,
        match_date,
        home_score AS goals,
        away_score AS o_goals,
        home_first AS first_half_goals
    FROM results
    UNION ALL
    SELECT
        away_slug,
        competition,
        season,
        match_date,
        away_score,
        home_score,
        away_first
    FROM results
)

SELECT
    team_slug,
    competition,
    season,
    match_date,
    1 AS matches,
    goals,
    o_goals,
    CASE WHEN goals > o_goals THEN 3 WHEN goals = o_goals THEN 1 ELSE 0 END AS points,
    CAST(o_goals = 0 AS INTEGER) AS clean_sheets,
    first_half_goals,
    goals - first_half_goals AS second_half_goals
FROM sides
