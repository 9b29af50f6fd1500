-- Lines of teams by game: as a log of teams states them, else the sums of the players' lines. Turnovers of
-- the team itself are in no player's line.
WITH stated AS (
    SELECT
        game_id,
        team_id,
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
        true AS is_stated
    FROM nba_stats_recorded_team_games
),

summed AS (
    SELECT
        game_id,
        team_id,
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
        sum(points) AS points,
        false AS is_stated
    FROM nba_player_lines WHERE has_played GROUP BY game_id, team_id
),

told AS (
    SELECT * FROM stated
    UNION ALL BY NAME
    SELECT * FROM summed
)

SELECT * FROM told QUALIFY row_number() OVER (PARTITION BY game_id, team_id ORDER BY is_stated DESC) = 1
