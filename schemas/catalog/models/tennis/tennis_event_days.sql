-- Events on each day of the week that began with them, or of two weeks for Grand Slams and draws of more than
-- 64, with their matches: the day of a match is not stated. One that began in the middle of a week may end in
-- that of the next.
WITH events AS (
    SELECT
        tour,
        event_ref,
        min(season) AS season,
        min(event_slug) AS event_slug,
        min(event_week) AS event_week,
        max(event_name) AS name,
        max(level) AS level,
        max(surface) AS surface,
        bool_or(lasts_two_weeks) AS lasts_two_weeks,
        list(
            {
                'match_id': match_id, 'round': round, 'winner': winner_name, 'loser': loser_name, 'score': score,
                'outcome': outcome
            } ORDER BY round_place, match_number, match_id
        ) AS matches
    FROM tennis_matches GROUP BY tour, event_ref
)

SELECT
    event_week + CAST(d.days AS INTEGER) AS day,
    tour,
    event_ref,
    'event_week' AS dated_by,
    season,
    event_slug,
    event_week,
    name,
    level,
    surface,
    matches
FROM events, (SELECT unnest(range(15)) AS days) AS d
WHERE d.days < CASE
    WHEN lasts_two_weeks THEN 14 + CAST(dayofweek(event_week) = 0 AS INTEGER)
    WHEN level = 'D' OR dayofweek(event_week) = 1 THEN 7 ELSE 10
END
