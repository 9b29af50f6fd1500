-- Serve of each player of a match against the return of the other, over all surfaces and on that of the
-- match, from events that had ended before. `return_allows` is one less the returner's share. `z` is the gap
-- by the standard deviation of what is not known of both values. A gap is a difference of the past and no
-- forecast.
WITH paired (metric, return_metric) AS (
    VALUES ('serve_points_won', 'return_points_won'),
    ('first_won', 'first_return_won'),
    ('second_won', 'second_return_won'),
    ('hold', 'break_rate'), ('break_saved', 'break_converted')
),

sides AS (
    SELECT
        match_id,
        event_week,
        surface,
        'first' AS side,
        first_slug AS slug
    FROM tennis_matchup_sides
    UNION ALL
    SELECT
        match_id,
        event_week,
        surface,
        'second',
        second_slug
    FROM tennis_matchup_sides
),

placed AS (
    SELECT
        s.match_id,
        s.event_week,
        s.side,
        s.slug || '/' || p.surface AS subject_key,
        p.surface
    FROM sides AS s JOIN (VALUES ('all'), ('hard'), ('clay'), ('grass')) AS p (surface)
        ON p.surface = 'all' OR p.surface = s.surface
),

wanted AS (
    SELECT DISTINCT
        subject_key,
        event_week
    FROM placed
),

metrics AS (
    SELECT metric FROM paired
    UNION
    SELECT return_metric FROM paired
),

dated AS (
    SELECT
        w.subject_key,
        w.event_week,
        max(d.valid_from) AS valid_from
    FROM wanted AS w JOIN (SELECT DISTINCT
        subject_key,
        valid_from
    FROM tennis_player_dna) AS d
        ON d.subject_key = w.subject_key AND d.valid_from <= w.event_week
    GROUP BY ALL
),

known AS (
    SELECT
        p.match_id,
        p.side,
        p.surface,
        d.metric,
        d.label,
        d.value,
        d.confidence,
        m.variance * (1 - d.weight) AS variance
    FROM placed AS p JOIN dated AS t USING (subject_key, event_week)
    JOIN tennis_player_dna AS d ON d.subject_key = t.subject_key AND d.valid_from = t.valid_from AND d.status = 'ok'
    JOIN metrics USING (metric)
    JOIN tennis_player_dna_metrics AS m ON m.pool = d.pool AND m.metric = d.metric
)

SELECT
    a.match_id,
    a.surface,
    a.side AS serving_side,
    a.metric,
    a.label,
    a.value AS serve,
    a.confidence AS serve_confidence,
    1 - r.value AS return_allows,
    r.confidence AS return_confidence,
    a.value + r.value - 1 AS gap,
    (a.value + r.value - 1) / nullif(sqrt(a.variance + r.variance), 0) AS z
FROM known AS a JOIN paired AS p ON p.metric = a.metric
JOIN known AS r ON r.match_id = a.match_id AND r.surface = a.surface AND r.side <> a.side AND r.metric = p.return_metric
