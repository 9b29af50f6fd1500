-- What DNA of goalies is made of: a row for each goalie and game of a regular season with shots on goal that
-- he faced, by zone of the shot.
SELECT
    player_id,
    'goalies' AS pool,
    season,
    league_date,
    count(*) AS shots,
    count(*) FILTER (NOT is_goal) AS saves,
    count(*) FILTER (zone = 'inner') AS inner_shots,
    count(*) FILTER (zone = 'inner' AND NOT is_goal) AS inner_saves,
    count(*) FILTER (zone = 'slot') AS slot_shots,
    count(*) FILTER (zone = 'slot' AND NOT is_goal) AS slot_saves,
    count(*) FILTER (zone = 'left') AS left_shots,
    count(*) FILTER (zone = 'left' AND NOT is_goal) AS left_saves,
    count(*) FILTER (zone = 'right') AS right_shots,
    count(*) FILTER (zone = 'right' AND NOT is_goal) AS right_saves,
    count(*) FILTER (zone = 'point') AS point_shots,
    count(*) FILTER (zone = 'point' AND NOT is_goal) AS point_saves,
    count(*) FILTER (zone = 'behind') AS behind_shots,
    count(*) FILTER (zone = 'behind' AND NOT is_goal) AS behind_saves
FROM nhl_shots_by_zone
GROUP BY player_id, season, game_id, league_date
