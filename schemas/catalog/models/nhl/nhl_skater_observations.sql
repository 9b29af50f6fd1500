-- What DNA of skaters is made of: a row for each skater and game of a regular season that he was on ice in.
-- Boxes state a share of face-offs won and not how many he took, so that none is summed; nor do they tell ice
-- time by strength, attempts that missed or were blocked, or who scored from where.
SELECT
    player_id,
    player_name,
    season,
    CASE position WHEN 'D' THEN 'defender' ELSE 'forward' END AS pool,
    league_date,
    1 AS games,
    toi_secs,
    goals,
    power_play_goals,
    goals - power_play_goals AS other_goals,
    assists,
    points,
    shots_on_goal,
    hits,
    blocked_shots,
    pim,
    giveaways,
    takeaways,
    plus_minus
FROM nhl_skater_games
WHERE phase = 'regular' AND position IS NOT NULL AND toi_secs > 0
