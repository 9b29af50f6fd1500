-- Tracking of minor-league players in a month, as their source states it.
SELECT
    t.* EXCLUDE (level, player_name, file, line, captured_at),
    coalesce(l.level, lower(t.level)) AS level
FROM mlb_milb_pbp_tracking AS t LEFT JOIN mlb_minor_levels_by_id AS l ON l.feed_level = t.level
