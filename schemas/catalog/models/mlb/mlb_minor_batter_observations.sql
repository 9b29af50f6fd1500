-- What DNA of minor-league batters is made of: a row for each batter and game in which he came to bat, in
-- the pool of its level. A suspended game counts on the day by which it was over.
WITH batted AS (
    SELECT
        a.*,
        CAST(e.is_at_bat AS INTEGER) AS at_bat,
        CAST(e.bases AS INTEGER) AS bases,
        CAST(e.is_walk AS INTEGER) AS walk,
        CAST(e.is_strikeout AS INTEGER) AS strikeout,
        CAST(e.is_sacrifice_fly AS INTEGER) AS sacrifice_fly,
        regexp_extract(a.pitches, '"trajectory":\s*"([a-z_]+)"', 1) AS trajectory
    FROM mlb_minor_appearances AS a JOIN mlb_minor_events AS e USING (event_type)
    WHERE a.is_appearance
)

SELECT
    batter_id AS player_id,
    coalesce(min(batter_name), batter_id) AS player_name,
    CAST(year(max(league_date)) AS VARCHAR) AS season,
    level AS pool,
    last_day,
    count(*) AS plate_appearances,
    sum(strikeout) AS strikeouts,
    sum(walk) AS walks,
    count(*) FILTER (bases = 4) AS home_runs,
    count(*) FILTER (bases BETWEEN 1 AND 3) AS hits_in_play,
    count(*) FILTER (at_bat + sacrifice_fly = 1 AND strikeout = 0 AND bases < 4) AS balls_in_play,
    sum(greatest(bases - 1, 0)) AS extra_bases,
    sum(at_bat) AS at_bats,
    count(*) FILTER (trajectory LIKE '%ground%') AS ground_balls,
    count(*) FILTER (trajectory <> '') AS batted_balls
FROM batted GROUP BY game_id, batter_id, level, last_day
