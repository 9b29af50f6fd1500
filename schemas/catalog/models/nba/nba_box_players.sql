-- Lines of players by game, with true shooting, and usage as the box lets it be estimated from the counts of
-- the team.
WITH teams AS (
    SELECT
        game_id,
        team_id,
        sum(secs) AS team_secs,
        sum(field_goals_attempted + .44 * free_throws_attempted + turnovers) AS team_used
    FROM nba_player_lines WHERE has_played GROUP BY game_id, team_id
)

SELECT
    p.game_id,
    p.team_id,
    p.player_id,
    g.season,
    g.phase,
    g.league_date,
    c.abbr AS team_abbr,
    p.player_name,
    p.is_starter,
    nullif(p.not_playing_reason, '') AS not_playing_reason,
    p.secs,
    p.has_seconds,
    p.field_goals_made,
    p.field_goals_attempted,
    p.three_pointers_made,
    p.three_pointers_attempted,
    p.free_throws_made,
    p.free_throws_attempted,
    p.offensive_rebounds,
    p.defensive_rebounds,
    p.rebounds,
    p.assists,
    p.steals,
    p.blocks,
    p.turnovers,
    p.fouls,
    p.points,
    p.plus_minus,
    CAST(p.points AS DOUBLE) / nullif(2 * (p.field_goals_attempted + .44 * p.free_throws_attempted), 0) AS ts_pct,
    (p.field_goals_attempted + .44 * p.free_throws_attempted + p.turnovers) * (t.team_secs / 5.0)
    / nullif(p.secs * t.team_used, 0) AS usg_pct,
    false AS is_official
FROM nba_player_lines AS p
JOIN nba_games AS g USING (game_id)
LEFT JOIN nba_clubs AS c ON c.team_id = p.team_id
LEFT JOIN teams AS t ON (t.game_id, t.team_id) = (p.game_id, p.team_id)
