-- Shoot-outs. `leagues` states one of them with as many goals for both: its winner is not known.
SELECT
    b.match_id,
    b.source_match_id,
    b.home_penalties,
    b.away_penalties,
    CASE
        WHEN b.home_penalties > b.away_penalties THEN b.home_slug
        WHEN b.home_penalties < b.away_penalties THEN b.away_slug
    END AS winner,
    CAST(NULL AS VARCHAR) AS first_shooter
FROM soccer_match_base AS b WHERE b.has_shootout
UNION ALL
SELECT
    match_id,
    NULL,
    NULL,
    NULL,
    CASE winner_name WHEN home_name THEN home_slug WHEN away_name THEN away_slug END,
    CASE first_shooter_name WHEN home_name THEN home_slug WHEN away_name THEN away_slug END
FROM soccer_international_matches WHERE winner_name IS NOT NULL
