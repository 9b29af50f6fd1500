-- Games of a week with score by quarter and the best passer, rusher and receiver of each team.
WITH best AS (
    SELECT
        game_id,
        team_id,
        max(player_name) FILTER (role = 'passer') AS passer_name,
        max(yards) FILTER (role = 'passer') AS passer_yards,
        max(player_name) FILTER (role = 'rusher') AS rusher_name,
        max(yards) FILTER (role = 'rusher') AS rusher_yards,
        max(player_name) FILTER (role = 'receiver') AS receiver_name,
        max(yards) FILTER (role = 'receiver') AS receiver_yards
    FROM nfl_game_leaders GROUP BY game_id, team_id
)

SELECT
    g.game_id,
    g.season,
    g.phase,
    g.phase_order,
    g.week,
    g.league_date,
    g.starts_at,
    g.status,
    g.home_id,
    g.home_abbr,
    g.home_name,
    g.home_score,
    g.home_q1,
    g.home_q2,
    g.home_q3,
    g.home_q4,
    g.home_ot,
    h.passer_name AS home_passer_name,
    h.passer_yards AS home_passer_yards,
    h.rusher_name AS home_rusher_name,
    h.rusher_yards AS home_rusher_yards,
    h.receiver_name AS home_receiver_name,
    h.receiver_yards AS home_receiver_yards,
    g.away_id,
    g.away_abbr,
    g.away_name,
    g.away_score,
    g.away_q1,
    g.away_q2,
    g.away_q3,
    g.away_q4,
    g.away_ot,
    a.passer_name AS away_passer_name,
    a.passer_yards AS away_passer_yards,
    a.rusher_name AS away_rusher_name,
    a.rusher_yards AS away_rusher_yards,
    a.receiver_name AS away_receiver_name,
    a.receiver_yards AS away_receiver_yards,
    g.decided_in
FROM nfl_games AS g
LEFT JOIN best AS h ON (h.game_id, h.team_id) = (g.game_id, g.home_id)
LEFT JOIN best AS a ON (a.game_id, a.team_id) = (g.game_id, g.away_id)
WHERE g.status IS NOT NULL AND g.phase <> 'preseason'
