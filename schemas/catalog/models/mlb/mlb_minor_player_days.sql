-- What a player came to on a day at the plate, or what batters did against him, at one level.
WITH events AS (
    SELECT
        a.*,
        e.event_type IS NOT NULL AND e.is_appearance = '1' AS counts,
        CAST(e.is_at_bat AS INTEGER) AS at_bat,
        CAST(e.bases AS INTEGER) AS bases,
        CAST(e.is_walk AS INTEGER) AS walk,
        CAST(e.is_strikeout AS INTEGER) AS strikeout,
        CAST(e.is_hit_by_pitch AS INTEGER) AS hit_by_pitch,
        CAST(e.is_sacrifice_fly AS INTEGER) AS sacrifice_fly
    FROM mlb_minor_appearances AS a JOIN mlb_minor_events AS e USING (event_type)
),

sides AS (
    SELECT
        'batting' AS player_group,
        batter_id AS player_id,
        batter_name AS player_name,
        *
    FROM events
    UNION ALL
    SELECT
        'pitching',
        pitcher_id,
        pitcher_name,
        *
    FROM events
)

SELECT
    player_group,
    player_id,
    level,
    league_date,
    last_day,
    min(player_name) AS player_name,
    count(DISTINCT game_id) AS games,
    count(*) AS plate_appearances,
    sum(at_bat) AS at_bats,
    count(*) FILTER (bases > 0) AS hits,
    count(*) FILTER (bases = 2) AS doubles,
    count(*) FILTER (bases = 3) AS triples,
    count(*) FILTER (bases = 4) AS home_runs,
    sum(bases) AS total_bases,
    sum(walk) AS walks,
    sum(strikeout) AS strikeouts,
    sum(hit_by_pitch) AS hit_by_pitch,
    sum(sacrifice_fly) AS sacrifice_flies,
    sum(coalesce(runs_batted_in, 0)) AS runs_batted_in
FROM sides WHERE counts GROUP BY player_group, player_id, level, league_date, last_day
