-- A player in a category of a game. Sacks are in halves in the source; of fumbles, those that he recovered
-- are told, too.
SELECT
    l.game_id,
    g.market_id,
    g.season,
    g.phase,
    g.league_date,
    CASE l.side WHEN 'home' THEN g.home_id ELSE g.away_id END AS team_id,
    CASE l.side WHEN 'home' THEN g.home_abbr ELSE g.away_abbr END AS team_abbr,
    CASE l.category
        WHEN 'defense' THEN 'defence' WHEN 'kickret' THEN 'kickoff_returns' WHEN 'puntret' THEN 'punt_returns'
        ELSE l.category
    END AS category,
    l.player_id,
    coalesce(p.player_name, l.player_name) AS player_name,
    p.position,
    l.attempts,
    l.completions,
    l.yards,
    l.touchdowns,
    l.interceptions_thrown,
    l.two_point_attempts,
    l.two_points_made,
    l.longest,
    l.receptions,
    l.fumbles,
    l.fumbles_recovered,
    l.fumbles_lost,
    l.field_goals_made,
    l.field_goals_attempted,
    l.extra_points_made,
    l.extra_points_attempted,
    l.punts,
    l.inside_20,
    l.returns,
    l.tackles,
    l.assists,
    l.interceptions,
    l.forced_fumbles,
    l.sacks
FROM nfl_gamecenter_player_lines AS l JOIN nfl_games AS g USING (game_id) LEFT JOIN nfl_players AS p USING (player_id)
WHERE l.player_id <> '0'
