-- Matches of recorded scoreboards, of the leagues that soccer_competitions.csv lists by the feed's id alone:
-- teams of women and men have the same names there. A score counts when the match is over.
WITH events AS (
    SELECT
        e.*,
        c.slug AS competition,
        c.name AS competition_name,
        c.country,
        c.code
    FROM soccer_scoreboard_recorded_events AS e
    JOIN soccer_competitions AS c ON c.feed_id = regexp_extract(e.event_uid, 'l:(\d+)', 1)
)

SELECT
    event_id,
    competition,
    competition_name,
    country,
    -- A league of a calendar year has its year as season; the others say `2025-26-…` or begin in the stated
    -- year.
    CASE
        WHEN code IN ('mls', 'br.1') THEN CAST(season_year AS VARCHAR)
        ELSE CAST(season_year AS VARCHAR) || '-' || lpad(CAST((season_year + 1) % 100 AS VARCHAR), 2, '0')
    END AS season,
    CAST(starts_at AS DATE) AS match_date,
    starts_at,
    status,
    attendance,
    venue,
    CASE WHEN first_side = 'home' THEN first_name ELSE second_name END AS home_name,
    CASE WHEN first_side = 'home' THEN second_name ELSE first_name END AS away_name,
    CASE WHEN status = 'STATUS_FULL_TIME' THEN CASE
        WHEN first_side = 'home' THEN first_score
        ELSE second_score
    END END AS home_score,
    CASE WHEN status = 'STATUS_FULL_TIME' THEN CASE
        WHEN first_side = 'home' THEN second_score
        ELSE first_score
    END END AS away_score
FROM events
WHERE season_year IS NOT NULL
