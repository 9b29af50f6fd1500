-- Lines of teams by game: the sums of their players' lines.
WITH summed AS (
    SELECT
        game_id,
        team_abbr,
        max(season) AS season,
        max(phase) AS phase,
        max(league_date) AS league_date,
        bool_or(is_home) AS is_home,
        sum(points) AS points,
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
        sum(secs) AS secs
    FROM wnba_box_players WHERE has_played GROUP BY game_id, team_abbr
),

counted AS (
    SELECT
        *,
        field_goals_attempted + .44 * free_throws_attempted - offensive_rebounds + turnovers AS own_possessions
    FROM summed
)

SELECT
    l.* EXCLUDE (own_possessions),
    (l.own_possessions + o.own_possessions) / 2 AS possessions,
    l.points = CASE WHEN l.is_home THEN g.home_score ELSE g.away_score END AS adds_up
FROM counted AS l
JOIN wnba_games AS g USING (game_id)
LEFT JOIN counted AS o ON o.game_id = l.game_id AND o.team_abbr <> l.team_abbr
