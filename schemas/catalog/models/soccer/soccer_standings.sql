-- Sums of every team of a league on the day after each match day, which is the day from which they hold. A
-- team that has not played yet stands there with noughts: that it has played no match is known. Points are
-- less those that the league deducted up to that day, which no result tells: a seed lists them, with who
-- decided.
WITH teams AS (
    SELECT
        competition,
        season,
        home_slug AS team
    FROM soccer_match_base WHERE phase = 'regular'
    UNION
    SELECT
        competition,
        season,
        away_slug
    FROM soccer_match_base WHERE phase = 'regular'
),

days AS (
    SELECT DISTINCT
        competition,
        season,
        match_date
    FROM soccer_results
    UNION
    SELECT
        d.competition,
        d.season,
        CAST(d.decided_on AS DATE)
    FROM soccer_point_deductions AS d
    JOIN
        (SELECT
            competition,
            season,
            min(match_date) AS first_on,
            max(match_date) AS last_on
        FROM soccer_results GROUP BY ALL) AS r
        ON
            r.competition = d.competition
            AND r.season = d.season
            AND CAST(d.decided_on AS DATE) BETWEEN r.first_on AND r.last_on
),

deducted AS (
    SELECT
        t.competition,
        t.season,
        t.team,
        y.match_date,
        CAST(sum(CAST(d.points AS INTEGER)) AS INTEGER) AS points
    FROM teams AS t JOIN days AS y ON y.competition = t.competition AND y.season = t.season
    JOIN soccer_point_deductions AS d
        ON
            d.competition = t.competition AND d.season = t.season AND d.team = t.team
            AND CAST(d.decided_on AS DATE) <= y.match_date
    GROUP BY ALL
),

by_day AS (
    SELECT
        competition,
        season,
        team,
        match_date,
        count(*) AS played,
        count(*) FILTER (WHERE result = 'W') AS won,
        count(*) FILTER (WHERE result = 'D') AS drawn,
        count(*)
        FILTER (WHERE result = 'L') AS lost,
        sum(goals_for) AS goals_for,
        sum(goals_against) AS goals_against,
        sum(points) AS points,
        coalesce(sum(goals_for) FILTER (WHERE NOT is_home), 0) AS away_goals,
        count(*) FILTER (WHERE result = 'W' AND NOT is_home) AS away_wins,
        string_agg(result, '' ORDER BY match_id) AS results
    FROM soccer_results GROUP BY ALL
)

SELECT
    t.competition,
    t.season,
    t.team,
    CAST(d.match_date + 1 AS DATE) AS valid_from,
    CAST(sum(coalesce(b.played, 0)) OVER so_far AS INTEGER) AS played,
    CAST(sum(coalesce(b.won, 0))
        OVER so_far
    AS INTEGER) AS won,
    CAST(sum(coalesce(b.drawn, 0)) OVER so_far AS INTEGER) AS drawn,
    CAST(sum(coalesce(b.lost, 0))
        OVER so_far
    AS INTEGER) AS lost,
    CAST(sum(coalesce(b.goals_for, 0)) OVER so_far AS INTEGER) AS goals_for,
    CAST(sum(coalesce(b.goals_against, 0)) OVER so_far AS INTEGER) AS goals_against,
    CAST(sum(coalesce(b.points, 0)) OVER so_far AS INTEGER) - coalesce(o.points, 0) AS points,
    nullif(o.points, 0) AS deductions,
    CAST(sum(coalesce(b.away_goals, 0)) OVER so_far AS INTEGER) AS away_goals,
    CAST(sum(coalesce(b.away_wins, 0)) OVER so_far AS INTEGER) AS away_wins,
    right(string_agg(coalesce(b.results, ''), '' ORDER BY d.match_date) OVER so_far, 5) AS form
FROM teams AS t
JOIN days AS d ON d.competition = t.competition AND d.season = t.season
LEFT JOIN
    deducted AS o
    ON o.competition = t.competition AND o.season = t.season AND o.team = t.team AND o.match_date = d.match_date
LEFT JOIN
    by_day AS b
    ON b.competition = t.competition AND b.season = t.season AND b.team = t.team AND b.match_date = d.match_date
WINDOW so_far AS (PARTITION BY t.competition, t.season, t.team ORDER BY d.match_date)
