-- Rounds of a competition and season in order of their first day. The newest one is the last in which a match
-- was played.
WITH rounds AS (
    SELECT
        m.competition,
        m.season,
        coalesce(m.round, '') AS round,
        count(*) AS matches,
        count(m.home_score) AS results,
        min(m.match_date) AS from_date,
        max(m.match_date) AS to_date,
        max(m.match_date)
        FILTER (WHERE m.home_score IS NOT NULL) AS last_result_on,
        median(epoch(CAST(m.match_date AS TIMESTAMP))) AS middle
    FROM soccer_matches AS m JOIN soccer_club_competitions AS c ON c.competition = m.competition
    GROUP BY ALL
)

SELECT
    competition,
    season,
    CAST(row_number() OVER (
        PARTITION BY
            competition, season ORDER BY
            middle, from_date,
            round
    ) AS INTEGER) AS seq,
    nullif(round, '') AS round,
    CAST(matches AS INTEGER) AS matches,
    CAST(results AS INTEGER) AS results,
    from_date,
    to_date,
    results > 0 AND row_number() OVER (
        PARTITION BY
            competition, season ORDER BY
            results > 0 DESC, middle DESC,
            from_date DESC, round DESC
    ) = 1 AS is_newest
FROM rounds
