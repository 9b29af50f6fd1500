-- What was captured of every competition and season.
WITH goals AS (SELECT DISTINCT match_id FROM soccer_goals),

incidents AS (
    SELECT match_id FROM soccer_cards
    UNION
    SELECT match_id FROM soccer_substitutions
),

statistics AS (SELECT DISTINCT match_id FROM soccer_match_statistics),

line_ups AS (SELECT DISTINCT match_id FROM soccer_line_ups)

SELECT
    m.competition,
    max(m.competition_name) AS competition_name,
    m.season,
    min(m.match_date) AS from_date,
    max(m.match_date) AS to_date,
    CAST(count(*) AS INTEGER) AS matches,
    CAST(count(m.home_score) AS INTEGER) AS results,
    CAST(count(m.home_half_time) AS INTEGER) AS half_times,
    CAST(count(g.match_id) AS INTEGER) AS goals,
    CAST(count(i.match_id) AS INTEGER) AS incidents,
    CAST(count(s.match_id) AS INTEGER) AS statistics,
    CAST(count(l.match_id) AS INTEGER) AS line_ups
FROM soccer_matches AS m
LEFT JOIN goals AS g ON g.match_id = m.match_id
LEFT JOIN incidents AS i ON i.match_id = m.match_id
LEFT JOIN statistics AS s ON s.match_id = m.match_id
LEFT JOIN line_ups AS l ON l.match_id = m.match_id
GROUP BY m.competition, m.season
