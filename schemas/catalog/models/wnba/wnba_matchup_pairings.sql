-- Each club's four factors before a game beside those that the other allowed. Both are of regular games of
-- the season before the day.
WITH sides AS (
    SELECT
        g.game_id,
        'home' AS attacking_side,
        g.home_abbr AS team_abbr,
        g.away_abbr AS opponent_abbr
    FROM wnba_games AS g
    WHERE g.phase IN ('regular', 'playoffs')
    UNION ALL
    SELECT
        g.game_id,
        'away',
        g.away_abbr,
        g.home_abbr
    FROM wnba_games AS g
    WHERE g.phase IN ('regular', 'playoffs')
),

pairs AS (
    SELECT
        s.game_id,
        s.attacking_side,
        s.team_abbr,
        s.opponent_abbr,
        f.games AS team_games,
        d.games AS opponent_games,
        unnest(['efg_pct', 'turnover_share', 'offensive_rebound_share', 'free_throw_rate']) AS factor,
        unnest([f.efg_pct, f.turnover_share, f.offensive_rebound_share, f.free_throw_rate]) AS value,
        unnest(
            [d.allowed_efg_pct, d.allowed_turnover_share, d.allowed_offensive_rebound_share, d.allowed_free_throw_rate]
        ) AS allowed
    FROM sides AS s
    JOIN wnba_team_form AS f ON (f.game_id, f.team_abbr) = (s.game_id, s.team_abbr)
    JOIN wnba_team_form AS d ON (d.game_id, d.team_abbr) = (s.game_id, s.opponent_abbr)
)

SELECT
    game_id,
    attacking_side,
    factor,
    team_abbr,
    opponent_abbr,
    team_games,
    opponent_games,
    value,
    allowed,
    value - allowed AS gap
FROM pairs
