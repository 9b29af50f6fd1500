-- What DNA of goalies is made of: a row for each goalie and game of a regular season in which he was on ice.
SELECT
    player_id,
    player_name,
    season,
    'goalies' AS pool,
    league_date,
    1 AS games,
    toi_secs,
    goals_against,
    saves,
    shots_against,
    even_strength_saves,
    even_strength_saves + even_strength_goals_against AS even_strength_shots,
    power_play_saves,
    power_play_saves + power_play_goals_against AS power_play_shots
FROM nhl_goalie_games
WHERE phase = 'regular' AND toi_secs > 0
