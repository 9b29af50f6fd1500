-- Players of a level by statistic over the captured days. Who has fewer than 2.7 appearances for each
-- captured game of his club, or whose club is not known, is not ranked.
WITH team_games AS (
    SELECT
        team_id,
        count(DISTINCT game_id) AS games
    FROM (
        SELECT
            home_id AS team_id,
            game_id
        FROM mlb_milb_pbp_appearances
        UNION
        SELECT
            away_id,
            game_id
        FROM mlb_milb_pbp_appearances
    )
    GROUP BY team_id
),

sums AS (
    SELECT
        player_group,
        level,
        player_id,
        min(player_name) AS player_name,
        CAST(sum(games) AS INTEGER) AS games,
        sum(plate_appearances) AS plate_appearances,
        sum(at_bats) AS at_bats,
        sum(hits) AS hits,
        sum(doubles) AS doubles,
        sum(triples) AS triples,
        sum(home_runs) AS home_runs,
        sum(total_bases) AS total_bases,
        sum(walks) AS walks,
        sum(strikeouts) AS strikeouts,
        sum(hit_by_pitch) AS hit_by_pitch,
        sum(sacrifice_flies) AS sacrifice_flies,
        sum(runs_batted_in) AS runs_batted_in
    FROM mlb_minor_player_days GROUP BY player_group, level, player_id
),

rates AS (
    SELECT
        *,
        CAST(hits AS DOUBLE) / nullif(at_bats, 0) AS avg,
        CAST(hits + walks + hit_by_pitch AS DOUBLE)
        / nullif(at_bats + walks + hit_by_pitch + sacrifice_flies, 0) AS obp,
        CAST(total_bases AS DOUBLE) / nullif(at_bats, 0) AS slg,
        CAST(walks AS DOUBLE) / plate_appearances AS walk_share,
        CAST(strikeouts AS DOUBLE) / plate_appearances AS strikeout_share
    FROM sums
),

told AS (
    SELECT
        r.player_group,
        r.level,
        r.player_id,
        r.player_name,
        t.team_id,
        t.team_name,
        r.games,
        r.plate_appearances AS appearances,
        10 * r.plate_appearances >= 27 * g.games AS is_enough,
        unnest([
            'plate_appearances',
            'hits',
            'doubles',
            'triples',
            'home_runs',
            'walks',
            'strikeouts',
            'runs_batted_in',
            'avg',
            'obp',
            'slg',
            'ops',
            'walk_share', 'strikeout_share'
        ]) AS stat,
        unnest([
            r.plate_appearances,
            r.hits,
            r.doubles,
            r.triples,
            r.home_runs,
            r.walks,
            r.strikeouts,
            r.runs_batted_in,
            r.avg,
            r.obp,
            r.slg,
            r.obp + r.slg, r.walk_share, r.strikeout_share
        ]::DOUBLE[]) AS value
    FROM rates AS r LEFT JOIN mlb_minor_batter_teams AS t USING (player_id) LEFT JOIN team_games AS g USING (team_id)
),

counted AS (
    SELECT
        *,
        coalesce(is_enough, false) AS qualified
    FROM told WHERE value IS NOT NULL
)

SELECT
    player_group,
    stat,
    level,
    player_id,
    player_name,
    team_id,
    team_name,
    games,
    appearances,
    value,
    qualified,
    CASE
        WHEN
            qualified
            THEN CAST(rank() OVER (PARTITION BY player_group, stat, level, qualified ORDER BY value DESC) AS INTEGER)
    END AS rank
FROM counted
