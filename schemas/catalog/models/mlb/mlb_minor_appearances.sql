-- Plate appearances of captured games in the order of their source, and what runners came to while a batter
-- was up. No inning is stated. A game that was put off stands whole in the files of several days: the last of
-- them counts. One that was suspended keeps its first day as its date: `last_day` is the later one of that
-- and its file's, by which it was over.
SELECT
    a.game_id,
    CAST(row_number() OVER (PARTITION BY a.game_id ORDER BY a.file, a.line) AS INTEGER) AS seq,
    a.league_date,
    greatest(a.league_date, TRY_CAST(regexp_extract(a.file, '^[0-9]{4}-[0-9]{2}-[0-9]{2}') AS DATE)) AS last_day,
    l.level,
    a.batter_id,
    a.batter_name,
    a.batter_hand,
    a.pitcher_id,
    a.pitcher_name,
    a.pitcher_hand,
    a.event_type,
    a.result,
    a.description,
    a.runs_batted_in,
    a.is_out,
    a.pitch_count,
    a.pitches,
    coalesce(e.is_appearance = '1', false) AS is_appearance
FROM (SELECT * FROM mlb_milb_pbp_appearances QUALIFY file = max(file) OVER (PARTITION BY game_id)) AS a
LEFT JOIN mlb_minor_levels_by_id AS l ON l.feed_level = a.level
LEFT JOIN mlb_minor_events AS e USING (event_type)
