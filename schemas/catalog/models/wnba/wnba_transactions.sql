-- Moves of players and staff as reported.
WITH told AS (
    SELECT
        CAST(t."at" AS DATE) AS reported_on,
        team_id,
        text,
        min(file) AS file,
        min(line) AS line
    FROM wnba_recorded_small_transactions AS t GROUP BY ALL
)

SELECT
    CAST(t.reported_on AS VARCHAR) || '-'
    || CAST(row_number() OVER (PARTITION BY t.reported_on ORDER BY t.text, t.team_id, t.file, t.line) AS VARCHAR)
        AS transaction_id,
    CAST(year(t.reported_on) AS VARCHAR) AS season,
    t.reported_on,
    c.abbr AS team_abbr,
    t.text
FROM told AS t LEFT JOIN wnba_clubs AS c USING (team_id)
