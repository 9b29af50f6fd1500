-- Earlier captured games of both teams of a game, the newest ten.
WITH games AS (
    SELECT
        game_id,
        market_id,
        feed_id,
        least(home_id, away_id) AS one,
        greatest(home_id, away_id) AS other,
        season,
        week,
        league_date,
        home_abbr,
        home_score,
        away_abbr,
        away_score,
        phase,
        status,
        CAST(season AS INTEGER) * 10000 + phase_order * 100 + week AS ord
    FROM nfl_games WHERE phase <> 'preseason'
)

SELECT
    g.game_id,
    g.market_id,
    g.feed_id,
    CAST(row_number() OVER (
        PARTITION BY
            g.game_id ORDER BY
            m.ord DESC,
            m.game_id
    ) AS INTEGER) AS seq,
    m.game_id AS met_game_id,
    m.season,
    m.phase,
    m.week,
    m.league_date,
    m.home_abbr,
    m.home_score,
    m.away_abbr,
    m.away_score
FROM games AS g JOIN games AS m ON (m.one, m.other) = (g.one, g.other) AND m.ord < g.ord AND m.status = 'final'
QUALIFY row_number() OVER (PARTITION BY g.game_id ORDER BY m.ord DESC, m.game_id) <= 10
