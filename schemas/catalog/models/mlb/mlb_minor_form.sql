-- Form of batters as of each day on which it changes: the day after appearances, and the day on which they
-- leave the window. Those of a suspended game count from the day after its end. On-base and slugging shares
-- are drawn towards the mean of the level before that day. None is of a day after the captured ones: what
-- batters did in the days before it is not known.
WITH constants AS (
    SELECT
        max(CAST(value AS INTEGER)) FILTER (name = 'prior_appearances') AS prior,
        max(CAST(value AS INTEGER)) FILTER (name = 'last_appearances') AS last_n,
        max(CAST(value AS INTEGER)) FILTER (name = 'last_days') AS last_days
    FROM mlb_minor_form_constants
),

captured AS (
    SELECT max(TRY_CAST(regexp_extract(file, '^[0-9]{4}-[0-9]{2}-[0-9]{2}') AS DATE)) AS last_day
    FROM mlb_milb_pbp_appearances
),

batting AS (
    SELECT * FROM mlb_minor_player_days WHERE player_group = 'batting'
),

versions AS (
    SELECT DISTINCT
        b.player_id,
        b.last_day + d.after AS valid_from
    FROM batting AS b CROSS JOIN (SELECT unnest([1, last_days + 1]) AS after FROM constants) AS d
    WHERE b.last_day + d.after <= (SELECT last_day + 1 FROM captured)
),

newest AS (
    SELECT
        v.player_id,
        v.valid_from,
        b.level,
        b.player_name
    FROM versions AS v
    JOIN batting AS b ON b.player_id = v.player_id AND b.last_day < v.valid_from
    QUALIFY row_number() OVER (PARTITION BY v.player_id, v.valid_from ORDER BY b.last_day DESC, b.level) = 1
),

days AS (
    SELECT
        v.player_id,
        v.valid_from,
        sum(b.plate_appearances) AS appearances,
        count(DISTINCT b.last_day) AS dates,
        sum(b.hits) AS hits,
        sum(b.walks) AS walks,
        sum(b.strikeouts) AS strikeouts,
        sum(b.home_runs) AS home_runs
    FROM versions AS v CROSS JOIN constants AS c
    JOIN
        batting AS b
        ON b.player_id = v.player_id AND b.last_day < v.valid_from AND b.last_day >= v.valid_from - c.last_days
    GROUP BY v.player_id, v.valid_from
),

numbered AS (
    SELECT
        a.batter_id AS player_id,
        a.last_day,
        a.game_id,
        a.seq,
        e.*
    FROM mlb_minor_appearances AS a
    JOIN mlb_minor_events AS e USING (event_type)
    WHERE a.is_appearance
),

last_appearances AS (
    SELECT
        v.player_id,
        v.valid_from,
        n.game_id,
        CAST(n.is_at_bat AS INTEGER) AS at_bat,
        CAST(n.bases AS INTEGER) AS bases,
        CAST(n.is_walk AS INTEGER) AS walk,
        CAST(n.is_strikeout AS INTEGER) AS strikeout,
        CAST(n.is_hit_by_pitch AS INTEGER) AS hit_by_pitch,
        CAST(n.is_sacrifice_fly AS INTEGER) AS sacrifice_fly
    FROM versions AS v JOIN numbered AS n ON n.player_id = v.player_id AND n.last_day < v.valid_from
    QUALIFY
        row_number() OVER (PARTITION BY v.player_id, v.valid_from ORDER BY n.last_day DESC, n.game_id DESC, n.seq DESC)
        <= (SELECT last_n FROM constants)
),

recent AS (
    SELECT
        player_id,
        valid_from,
        count(*) AS appearances,
        count(DISTINCT game_id) AS games,
        sum(at_bat) AS at_bats,
        count(*) FILTER (bases > 0) AS hits,
        sum(walk) AS walks,
        sum(strikeout) AS strikeouts,
        count(*) FILTER (bases = 4) AS home_runs,
        sum(bases) AS total_bases,
        sum(hit_by_pitch) AS hit_by_pitch,
        sum(at_bat + walk + hit_by_pitch + sacrifice_fly) AS chances
    FROM last_appearances GROUP BY player_id, valid_from
),

levels AS (
    SELECT
        d.level,
        d.valid_from,
        CAST(sum(b.hits + b.walks + b.hit_by_pitch) AS DOUBLE)
        / sum(b.at_bats + b.walks + b.hit_by_pitch + b.sacrifice_flies) AS obp,
        CAST(sum(b.total_bases) AS DOUBLE) / sum(b.at_bats) AS slg
    FROM (SELECT DISTINCT
        level,
        valid_from
    FROM newest) AS d
    JOIN batting AS b ON b.level = d.level AND b.last_day < d.valid_from
    GROUP BY d.level, d.valid_from
),

rated AS (
    SELECT
        n.player_id,
        n.valid_from,
        n.player_name,
        n.level,
        r.* EXCLUDE (player_id, valid_from),
        l.obp AS level_obp,
        l.slg AS level_slg,
        CAST(r.chances AS DOUBLE) / (r.chances + c.prior) AS weight,
        c.prior,
        d.appearances AS day_appearances,
        d.hits AS day_hits,
        d.walks AS day_walks,
        d.strikeouts AS day_strikeouts,
        d.home_runs AS day_home_runs
    FROM newest AS n JOIN recent AS r USING (player_id, valid_from) JOIN levels AS l USING (level, valid_from)
    LEFT JOIN days AS d USING (player_id, valid_from) CROSS JOIN constants AS c
),

judged AS (
    SELECT
        *,
        CASE
            WHEN weight >= .7 AND games >= 8 THEN 'high' WHEN weight >= .5 AND games >= 5 THEN 'medium' WHEN
                weight >= .3 AND games >= 3
                THEN 'low'
            ELSE 'insufficient'
        END AS confidence
    FROM rated
)

SELECT
    player_id,
    valid_from,
    player_name,
    level,
    appearances AS last50_appearances,
    games AS last50_games,
    hits AS last50_hits,
    walks AS last50_walks,
    strikeouts AS last50_strikeouts,
    home_runs AS last50_home_runs,
    coalesce(day_appearances, 0) AS last14d_appearances,
    coalesce(day_hits, 0) AS last14d_hits,
    coalesce(day_walks, 0) AS last14d_walks,
    coalesce(day_strikeouts, 0) AS last14d_strikeouts,
    coalesce(day_home_runs, 0) AS last14d_home_runs,
    CAST(hits + walks + hit_by_pitch AS DOUBLE) / nullif(chances, 0) AS obp_raw,
    CASE
        WHEN confidence <> 'insufficient' THEN (hits + walks + hit_by_pitch + "prior" * level_obp) / (chances + "prior")
    END AS obp,
    level_obp,
    CAST(total_bases AS DOUBLE) / nullif(at_bats, 0) AS slg_raw,
    CASE WHEN confidence <> 'insufficient' THEN (total_bases + "prior" * level_slg) / (at_bats + "prior") END AS slg,
    level_slg,
    weight,
    confidence
FROM judged
