-- Editions of tournaments on each tour: the final gives champion and finalist where a single one is captured.
-- A tournament that has several draws in a year, such as ties of a team cup, has neither.
WITH counted AS (
    SELECT
        tour,
        event_slug,
        season,
        min(event_week) AS first_week,
        max(event_week) AS last_week,
        max_by(event_name, (event_week, event_ref)) AS name,
        max_by(level, (event_week, event_ref)) AS level,
        CASE WHEN count(DISTINCT surface) = 1 AND count(surface) = count(*) THEN min(surface) END AS surface,
        CASE WHEN count(DISTINCT event_ref) = 1 THEN max(draw_size) END AS draw_size,
        CAST(count(DISTINCT event_ref) AS INTEGER) AS draws,
        CAST(count(*) AS INTEGER) AS matches
    FROM tennis_matches GROUP BY ALL
),

finals AS (
    SELECT
        tour,
        event_slug,
        season,
        min(winner_slug) AS champion_slug,
        min(winner_name) AS champion_name,
        min(loser_slug) AS finalist_slug,
        min(loser_name) AS finalist_name,
        min(score) AS final_score,
        min(match_id)
            AS final_id
    FROM
        tennis_matches WHERE
        round = 'F' AND NOT is_team_event
        AND outcome IS DISTINCT FROM 'abandoned'
    GROUP BY ALL
    HAVING count(*) = 1
)

SELECT
    tour,
    event_slug,
    season,
    CASE
        WHEN level = 'D'
            THEN coalesce(
                nullif(regexp_extract(name, '^(Davis|Fed|BJK) Cup'), ''),
                name
            )
        WHEN name = 'Us Open' THEN 'US Open' ELSE name
    END AS name,
    level,
    surface,
    draw_size,
    draws,
    first_week,
    last_week,
    matches,
    champion_slug,
    champion_name,
    finalist_slug,
    finalist_name,
    final_score,
    final_id,
    row_number() OVER (PARTITION BY tour ORDER BY last_week DESC, event_slug, season) <= 10 AS is_among_newest
FROM counted LEFT JOIN finals USING (tour, event_slug, season)
