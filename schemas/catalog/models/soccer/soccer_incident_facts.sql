-- What `incidents` states, with the match it belongs to. `45+2'` is minute 45 and 2 of added time. A penalty
-- is a goal where a score stands beside it, else it was missed.
SELECT
    b.match_id,
    b.source_match_id,
    CAST(row_number() OVER (PARTITION BY b.match_id ORDER BY i.line) AS INTEGER) AS seq,
    TRY_CAST(regexp_extract(i.minute_text, '^(\d+)', 1) AS INTEGER) AS minute,
    TRY_CAST(nullif(regexp_extract(i.minute_text, '^\d+\+(\d+)', 1), '') AS INTEGER) AS added_minute,
    i.side,
    CASE i.side WHEN 'home' THEN b.home_slug ELSE b.away_slug END AS team,
    CASE
        WHEN i.kind = 'Goal' THEN 'goal' WHEN i.kind = 'Own goal' THEN 'own_goal'
        WHEN i.kind = 'Penalty Awarded' AND i.home_score_then IS NOT NULL THEN 'penalty'
        WHEN i.kind = 'Penalty Awarded' THEN 'missed_penalty' WHEN i.kind = 'Goal Disallowed' THEN 'disallowed_goal'
        WHEN i.kind = 'Yellow Card' THEN 'yellow' WHEN i.kind = 'Red Card' THEN 'red'
        WHEN i.kind = 'Substitution' THEN 'substitution' ELSE 'other'
    END AS kind,
    i.player_name,
    i.assist_name,
    i.reason,
    i.player_in,
    i.player_out,
    i.home_score_then,
    i.away_score_then
FROM soccer_incidents_events AS i
JOIN soccer_match_base
    AS b ON b.incidents_file = i.file AND b.incidents_home = i.home_name AND b.incidents_away = i.away_name
AND b.incidents_date = i.match_date
