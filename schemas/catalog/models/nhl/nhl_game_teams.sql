-- Boxes of teams by game.
SELECT
    game_id,
    home_away = 'home' AS is_home,
    team_abbr,
    goals,
    shots_on_goal,
    pim,
    hits,
    blocked_shots,
    giveaways,
    takeaways,
    power_play_goals,
    faceoff_win_share
FROM nhl_placed_teams
