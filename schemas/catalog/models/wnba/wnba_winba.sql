-- Winning-impact index of players, as each season ended or stands: net points per 100 possessions that go
-- with a player's rates against the mean of the pool, by what the factors of teams are worth. Every rate is
-- the engine's, drawn towards that mean.
WITH rates AS (
    SELECT
        season,
        player_id,
        player_name,
        metric,
        value,
        pool_mean,
        games,
        valid_from,
        array_position(['insufficient', 'low', 'medium', 'high'], confidence) AS confidence
    FROM wnba_impact_dna
    QUALIFY row_number() OVER (PARTITION BY season, player_id, metric ORDER BY valid_from DESC) = 1
),

players AS (
    SELECT
        season,
        player_id,
        max(player_name) AS player_name,
        max(valid_from) AS valid_from,
        max(games) AS games,
        min(confidence) AS confidence,
        max(value) FILTER (metric = 'shot_share') AS shot_share,
        max(value - pool_mean) FILTER (metric = 'effective_fg') AS effective_fg,
        max(value - pool_mean) FILTER (metric = 'free_throws_per_shot') AS free_throws,
        max(value - pool_mean) FILTER (metric = 'turnovers_per_possession') AS turnovers,
        max(value - pool_mean) FILTER (metric = 'off_reb_share') AS offensive_rebounds,
        max(value - pool_mean) FILTER (metric = 'def_reb_share') AS defensive_rebounds,
        max(value - pool_mean) FILTER (metric = 'steals_per_possession') AS steals
    FROM rates GROUP BY season, player_id
),

factors AS (
    SELECT
        max(CAST(points AS DOUBLE)) FILTER (factor = 'shooting') AS shooting,
        max(CAST(points AS DOUBLE)) FILTER (factor = 'turnovers') AS turnovers,
        max(CAST(points AS DOUBLE)) FILTER (factor = 'offensive_rebounds') AS rebounds,
        max(CAST(points AS DOUBLE)) FILTER (factor = 'free_throws') AS free_throws
    FROM wnba_winba_factors
),

parts AS (
    SELECT
        p.*,
        f.shooting * p.shot_share * p.effective_fg AS shooting_points,
        f.turnovers * p.turnovers AS turnover_points,
        f.rebounds * p.offensive_rebounds + f.rebounds * p.defensive_rebounds AS rebound_points,
        f.free_throws * p.shot_share * p.free_throws AS free_throw_points,
        -f.turnovers * p.steals AS steal_points
    FROM players AS p CROSS JOIN factors AS f
)

SELECT
    p.season,
    p.player_id,
    p.player_name,
    s.team_abbr,
    p.shooting_points + p.turnover_points + p.rebound_points + p.free_throw_points + p.steal_points AS index,
    p.shooting_points,
    p.turnover_points,
    p.rebound_points,
    p.free_throw_points,
    p.steal_points,
    s.minutes,
    s.games AS season_games,
    p.games,
    ['insufficient', 'low', 'medium', 'high'][p.confidence] AS confidence,
    p.valid_from
FROM parts AS p JOIN wnba_player_seasons AS s USING (season, player_id)
