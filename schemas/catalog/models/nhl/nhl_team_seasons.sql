-- Means per game of teams in regular seasons, from the boxes of both teams.
SELECT
    a.team_abbr,
    g.season,
    count(*) AS gp,
    CAST(sum(a.goals) AS DOUBLE) / count(*) AS goals_per_game,
    CAST(sum(b.goals) AS DOUBLE) / count(*) AS goals_against_per_game,
    CAST(sum(a.shots_on_goal) AS DOUBLE) / count(*) AS shots_per_game,
    CAST(sum(b.shots_on_goal) AS DOUBLE) / count(*) AS shots_against_per_game,
    CAST(sum(a.hits) AS DOUBLE) / count(*) AS hits_per_game,
    CAST(sum(a.blocked_shots) AS DOUBLE) / count(*) AS blocked_shots_per_game,
    CAST(sum(a.pim) AS DOUBLE) / count(*) AS pim_per_game,
    CAST(sum(a.power_play_goals) AS DOUBLE) / count(*) AS power_play_goals_per_game,
    CAST(sum(a.giveaways) AS DOUBLE) / count(*) AS giveaways_per_game,
    CAST(sum(a.takeaways) AS DOUBLE) / count(*) AS takeaways_per_game
FROM nhl_game_teams AS a JOIN nhl_game_teams AS b ON b.game_id = a.game_id AND b.is_home <> a.is_home
JOIN nhl_games AS g ON g.game_id = a.game_id WHERE g.phase = 'regular' GROUP BY a.team_abbr, g.season
