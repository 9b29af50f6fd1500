-- Lines of both teams of a game, with possessions as the box lets them be estimated.
WITH counted AS (
    SELECT
        *,
        field_goals_attempted + .44 * free_throws_attempted - offensive_rebounds + turnovers AS own_possessions
    FROM nba_team_lines
)

SELECT
    l.game_id,
    l.team_id,
    g.season,
    g.phase,
    g.league_date,
    c.abbr AS team_abbr,
    coalesce(l.team_id = g.home_id, false) AS is_home,
    l.is_stated,
    l.field_goals_made,
    l.field_goals_attempted,
    l.three_pointers_made,
    l.three_pointers_attempted,
    l.free_throws_made,
    l.free_throws_attempted,
    l.offensive_rebounds,
    l.defensive_rebounds,
    l.rebounds,
    l.assists,
    l.steals,
    l.blocks,
    l.turnovers,
    l.fouls,
    l.points,
    (l.own_possessions + o.own_possessions) / 2 AS possessions,
    CAST(l.points AS DOUBLE) / nullif(2 * (l.field_goals_attempted + .44 * l.free_throws_attempted), 0) AS ts_pct,
    l.points = CASE WHEN l.team_id = g.home_id THEN g.home_score ELSE g.away_score END AS adds_up
FROM counted AS l
JOIN nba_games AS g ON g.game_id = l.game_id AND l.team_id IN (g.home_id, g.away_id)
JOIN nba_clubs AS c ON c.team_id = l.team_id
LEFT JOIN counted AS o ON o.game_id = l.game_id AND o.team_id <> l.team_id AND o.team_id IN (g.home_id, g.away_id)
