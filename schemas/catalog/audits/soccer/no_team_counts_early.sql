-- A version of a team's DNA holds from the day after a match of its own.
SELECT DISTINCT
    d.team_slug,
    d.season,
    d.valid_from
FROM soccer_team_dna AS d
WHERE
    NOT EXISTS (
        SELECT 1
        FROM soccer_matches AS m WHERE
            m.match_date = d.valid_from - 1 AND m.home_score IS NOT NULL
            AND d.team_slug IN (m.home_slug, m.away_slug)
    )
UNION ALL
-- No table has more matches of a team than it had played in the league before its day.
SELECT
    t.team_slug,
    t.season,
    t.valid_from
FROM soccer_table AS t
LEFT JOIN (
    SELECT
        home_slug AS team_slug,
        competition,
        season,
        match_date
    FROM soccer_matches WHERE home_score IS NOT NULL
    UNION ALL
    SELECT
        away_slug,
        competition,
        season,
        match_date
    FROM soccer_matches WHERE home_score IS NOT NULL
) AS m
    ON
        m.team_slug = t.team_slug
        AND m.competition = t.competition
        AND m.season = t.season
        AND m.match_date < t.valid_from
GROUP BY t.team_slug, t.season, t.valid_from, t.competition, t.played HAVING t.played > count(m.match_date)
