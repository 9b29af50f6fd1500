-- Matches among teams that are level, for every day of a table. Where head-to-head comes first, level means
-- the same points; elsewhere the same points, goal difference and goals. Where it comes first it counts once
-- all of them have met at home and away, as leagues do it: half of a pair of matches decides nothing.
WITH rules AS (
    SELECT DISTINCT
        competition,
        season,
        tie_break
    FROM soccer_listed_matches
),

level AS (
    SELECT
        s.competition,
        s.season,
        s.valid_from,
        s.team,
        r.tie_break,
        s.points,
        CASE WHEN r.tie_break = 'head_to_head' THEN 0 ELSE s.goals_for - s.goals_against END AS difference,
        CASE WHEN r.tie_break = 'head_to_head' THEN 0 ELSE s.goals_for END AS goals,
        CASE WHEN r.tie_break = 'wins' THEN s.won ELSE 0 END AS wins
    FROM soccer_standings AS s
    JOIN rules AS r ON r.competition = s.competition AND r.season = s.season
    WHERE s.played > 0 AND r.tie_break <> 'league_phase'
),

grouped AS (
    SELECT
        *,
        count(*) OVER (PARTITION BY competition, season, valid_from, points, difference, goals, wins) AS n_teams
    FROM level
),

met AS (
    SELECT
        a.competition,
        a.season,
        a.valid_from,
        a.team,
        a.tie_break,
        a.n_teams,
        count(*) AS n_matches,
        sum(m.points) AS points,
        sum(m.goals_for - m.goals_against) AS difference
    FROM grouped AS a
    JOIN grouped AS b
        ON
            b.competition = a.competition AND b.season = a.season AND b.valid_from = a.valid_from
            AND b.points = a.points
            AND b.difference = a.difference AND b.goals = a.goals AND b.wins = a.wins AND b.team <> a.team
    JOIN soccer_results AS m
        ON
            m.competition = a.competition AND m.season = a.season AND m.team = a.team AND m.opponent = b.team
            AND m.match_date < a.valid_from
    WHERE a.n_teams > 1
    GROUP BY ALL
),

whole AS (
    SELECT
        g.competition,
        g.season,
        g.valid_from,
        g.team,
        min(coalesce(t.n_matches, 0)) OVER (
            PARTITION BY
                g.competition, g.season, g.valid_from, g.points,
                g.difference, g.goals, g.wins
        ) AS least,
        t.n_teams,
        t.tie_break,
        t.points,
        t.difference
    FROM grouped AS g
    LEFT JOIN met AS t
        ON
            t.competition = g.competition AND t.season = g.season AND t.valid_from = g.valid_from
            AND t.team = g.team
    WHERE g.n_teams > 1
)

SELECT
    competition,
    season,
    valid_from,
    team,
    CAST(points AS INTEGER) AS mutual_points,
    CAST(difference AS INTEGER) AS mutual_difference
FROM whole
WHERE least >= 2 * (n_teams - 1)
