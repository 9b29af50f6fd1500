-- Regular seasons of players. A stated line counts before a sum of game lines; of a season with several teams
-- the line over all of them does.
WITH career AS (
    SELECT
        player_id,
        season,
        team_id,
        gp,
        gs,
        minutes,
        field_goals_made,
        field_goals_attempted,
        three_pointers_made,
        three_pointers_attempted,
        free_throws_made,
        free_throws_attempted,
        offensive_rebounds,
        defensive_rebounds,
        rebounds,
        assists,
        steals,
        blocks,
        turnovers,
        fouls,
        points
    FROM nba_stats_recorded_career_seasons
    QUALIFY row_number() OVER (PARTITION BY player_id, season ORDER BY team_id <> '0', team_id) = 1
),

logged AS (
    SELECT
        p.player_id,
        p.season,
        arg_max(p.team_id, p.league_date) AS team_id,
        arg_max(p.player_name, p.league_date) AS player_name,
        count(*) AS gp,
        sum(p.secs) / 60.0 AS minutes,
        sum(field_goals_made) AS field_goals_made,
        sum(field_goals_attempted) AS field_goals_attempted,
        sum(three_pointers_made) AS three_pointers_made,
        sum(three_pointers_attempted) AS three_pointers_attempted,
        sum(free_throws_made) AS free_throws_made,
        sum(free_throws_attempted) AS free_throws_attempted,
        sum(offensive_rebounds) AS offensive_rebounds,
        sum(defensive_rebounds) AS defensive_rebounds,
        sum(rebounds) AS rebounds,
        sum(assists) AS assists,
        sum(steals) AS steals,
        sum(blocks) AS blocks,
        sum(turnovers) AS turnovers,
        sum(fouls) AS fouls,
        sum(points) AS points
    FROM nba_box_players AS p
    -- A log rounds less than half a minute to none; it is a game all the same.
    WHERE
        p.phase = 'regular' AND p.secs IS NOT NULL
        -- Boxes of some days are no season.
        AND p.season IN (
            SELECT season FROM nba_games WHERE phase = 'regular' AND status = 'final' GROUP BY season
            HAVING count(
                *) <= (
                SELECT count(DISTINCT game_id) FROM nba_box_players AS b
                WHERE b.season = nba_games.season AND b.phase = 'regular'
            )
        )
    GROUP BY p.player_id, p.season
),

told AS (
    SELECT
        1 AS preference,
        season,
        player_id,
        player_name,
        team_id,
        gp,
        CAST(NULL AS INTEGER) AS gs,
        minutes,
        field_goals_made,
        field_goals_attempted,
        three_pointers_made,
        three_pointers_attempted,
        free_throws_made,
        free_throws_attempted,
        offensive_rebounds,
        defensive_rebounds,
        rebounds,
        assists,
        steals,
        blocks,
        turnovers,
        fouls,
        points,
        'stated' AS origin
    FROM nba_stats_recorded_player_seasons WHERE season_type = 'Regular Season'
    UNION ALL BY NAME
    SELECT
        2 AS preference,
        *,
        'stated' AS origin
    FROM career
    UNION ALL BY NAME
    SELECT
        3 AS preference,
        *,
        'summed' AS origin
    FROM logged
),

named AS (
    SELECT
        player_id,
        arg_max(player_name, season) AS player_name
    FROM told
    WHERE player_name IS NOT NULL
    GROUP BY player_id
),

chosen AS (
    SELECT * FROM told QUALIFY row_number() OVER (PARTITION BY player_id, season ORDER BY preference) = 1
)

SELECT
    t.player_id,
    t.season,
    coalesce(t.player_name, n.player_name) AS player_name,
    nullif(t.team_id, '0') AS team_id,
    c.abbr AS team_abbr,
    t.origin,
    t.gp,
    t.gs,
    t.minutes,
    t.field_goals_made,
    t.field_goals_attempted,
    t.three_pointers_made,
    t.three_pointers_attempted,
    t.free_throws_made,
    t.free_throws_attempted,
    t.offensive_rebounds,
    t.defensive_rebounds,
    t.rebounds,
    t.assists,
    t.steals,
    t.blocks,
    t.turnovers,
    t.fouls,
    t.points,
    t.minutes / nullif(t.gp, 0) AS minutes_per_game,
    CAST(t.points AS DOUBLE) / nullif(t.gp, 0) AS points_per_game,
    CAST(t.rebounds AS DOUBLE) / nullif(t.gp, 0) AS rebounds_per_game,
    CAST(t.assists AS DOUBLE) / nullif(t.gp, 0) AS assists_per_game,
    CAST(t.steals AS DOUBLE) / nullif(t.gp, 0) AS steals_per_game,
    CAST(t.blocks AS DOUBLE) / nullif(t.gp, 0) AS blocks_per_game,
    CAST(t.turnovers AS DOUBLE) / nullif(t.gp, 0) AS turnovers_per_game,
    CAST(t.points AS DOUBLE) / nullif(2 * (t.field_goals_attempted + .44 * t.free_throws_attempted), 0) AS ts_pct
FROM chosen AS t LEFT JOIN named AS n USING (player_id) LEFT JOIN nba_clubs AS c ON c.team_id = t.team_id
