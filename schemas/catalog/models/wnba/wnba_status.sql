-- Kinds of data with their rows and newest fact. Current means that it reaches the newest captured final.
WITH newest AS (
    SELECT max(league_date) AS day FROM wnba_games WHERE status = 'final'
),

told AS (
    SELECT
        'games' AS content,
        count(*) AS rows,
        max(league_date) FILTER (status = 'final') AS newest_fact_on
    FROM wnba_games
    UNION ALL
    SELECT
        'box scores',
        count(*),
        max(league_date)
    FROM wnba_box_players
    UNION ALL
    SELECT
        'quarters',
        count(*),
        max(g.league_date)
    FROM wnba_periods AS p
    JOIN wnba_games AS g USING (game_id)
    UNION ALL
    SELECT
        'time-outs and plays',
        count(*),
        max(g.league_date)
    FROM wnba_events AS e
    JOIN wnba_games AS g USING (game_id)
    UNION ALL
    SELECT
        'shots of some players',
        count(*),
        max(g.league_date)
    FROM wnba_shots AS s
    JOIN wnba_games AS g USING (game_id)
    UNION ALL
    SELECT
        'injuries',
        count(*),
        max(seen_on)
    FROM wnba_injuries
    UNION ALL
    SELECT
        'transactions',
        count(*),
        max(reported_on)
    FROM wnba_transactions
    UNION ALL
    SELECT
        'prices of games',
        count(*),
        max(CAST(seen_at AS DATE))
    FROM wnba_odds
    UNION ALL
    SELECT
        'prices of players',
        count(*),
        max(CAST(seen_at AS DATE))
    FROM wnba_props
    UNION ALL
    SELECT
        'DNA of players',
        count(*),
        max(valid_from) - 1
    FROM wnba_player_dna
)

SELECT
    t.content,
    t.rows,
    t.newest_fact_on,
    CASE WHEN t.rows = 0 THEN 'not_captured' WHEN t.newest_fact_on >= n.day THEN 'current' ELSE 'behind' END AS state,
    greatest(0, n.day - t.newest_fact_on) AS days_behind
FROM told AS t, newest AS n
