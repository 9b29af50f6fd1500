-- Matches of both tours with sets, sides and statistics of serve. Statistics that contradict themselves, such
-- as counts that were multiplied (over a dozen points a game served), and minutes beyond the longest match
-- ever played are null. The sides of a set are winner and loser of the match.
WITH told AS (
    SELECT
        *,
        regexp_extract_all(score_sets, '\[?\d+-\d+\]?(?:\(\d+\))?') AS set_texts,
        coalesce(stated_outcome, CASE WHEN is_finished THEN 'completed' END) AS outcome,
        coalesce(stated_outcome IN ('retired', 'defaulted') OR stated_outcome IS NULL AND score_sets <> '', false)
            AS is_counted,
        CASE
            WHEN level = 'D' THEN coalesce(nullif(regexp_extract(event_name, '^(Davis|Fed|BJK) Cup'), ''), event_name)
            ELSE event_name
        END AS tournament_name,
        coalesce(
            winner_first_in <= winner_serve_points AND winner_first_won <= winner_first_in
            AND winner_second_won + winner_double_faults <= winner_serve_points - winner_first_in
            AND winner_break_points_saved <= winner_break_points_faced AND winner_aces <= winner_serve_points
            AND winner_serve_points BETWEEN 1 AND 500
            AND winner_serve_points <= 30 + 12 * coalesce(nullif(winner_service_games, 0), 40)
            AND stated_outcome IS DISTINCT FROM 'walkover',
            false
        ) AS winner_adds_up,
        coalesce(
            loser_first_in <= loser_serve_points AND loser_first_won <= loser_first_in
            AND loser_second_won + loser_double_faults <= loser_serve_points - loser_first_in
            AND loser_break_points_saved <= loser_break_points_faced AND loser_aces <= loser_serve_points
            AND loser_serve_points BETWEEN 1 AND 500
            AND loser_serve_points <= 30 + 12 * coalesce(nullif(loser_service_games, 0), 40)
            AND stated_outcome IS DISTINCT FROM 'walkover',
            false
        ) AS loser_adds_up
    FROM tennis_scores
),

points AS (
    SELECT
        match_id,
        min(match_ref) AS points_id
    FROM tennis_point_links GROUP BY match_id
)

SELECT
    m.match_id,
    CASE WHEN count(*) OVER (PARTITION BY substr(m.match_id, 5)) = 1 THEN substr(m.match_id, 5) END AS source_id,
    regexp_replace(o.other_key, '-[^-]+-[^-]+$', '') AS other_id,
    p.points_id,
    m.tour,
    m.season,
    trim(regexp_replace(lower(strip_accents(m.tournament_name)), '[^a-z0-9]+', '-', 'g'), '-') AS event_slug,
    m.event_ref,
    m.event_name,
    m.event_week,
    m.last_day,
    'event_week' AS dated_by,
    m.level,
    m.level = 'D'
    OR m.event_name IN ('United Cup', 'Atp Cup', 'ATP Cup', 'Laver Cup') AS is_team_event,
    lower(m.surface) AS surface,
    m.draw_size,
    m.lasts_two_weeks,
    m.round,
    CAST(list_position(['RR', 'R128', 'R64', 'R32', 'R16', 'QF', 'SF', 'BR', 'F'], m.round) AS INTEGER)
        AS round_place,
    m.match_number,
    m.best_of,
    m.score,
    m.outcome,
    m.is_counted,
    CASE WHEN len(m.set_texts) > 0 THEN list_transform(m.set_texts, LAMBDA s: {
        'winner': TRY_CAST(regexp_extract(s, '(\d+)-', 1) AS INTEGER),
        'loser': TRY_CAST(regexp_extract(s, '-(\d+)', 1) AS INTEGER),
        'tie_break_of_loser': TRY_CAST(regexp_extract(s, '\((\d+)\)', 1) AS INTEGER),
        'is_match_tie_break': s LIKE '[%'
    }) END AS sets,
    CASE WHEN m.minutes BETWEEN 1 AND 665 THEN m.minutes END AS minutes,
    winner.player_slug AS winner_slug,
    m.winner_ref AS winner_ref,
    coalesce(winner.name, m.winner_name) AS winner_name,
    winner_country,
    winner_seed,
    winner_entry,
    winner_rank,
    winner_rank_points,
    loser.player_slug AS loser_slug,
    m.loser_ref AS loser_ref,
    coalesce(loser.name, m.loser_name) AS loser_name,
    loser_country,
    loser_seed,
    loser_entry,
    loser_rank,
    loser_rank_points,
    m.winner_adds_up AND m.loser_adds_up AS has_statistics,
    p.points_id IS NOT NULL AS has_points,
    CASE WHEN winner_adds_up THEN winner_aces END AS winner_aces,
    CASE WHEN winner_adds_up THEN winner_double_faults END AS winner_double_faults,
    CASE WHEN winner_adds_up THEN winner_serve_points END AS winner_serve_points,
    CASE WHEN winner_adds_up THEN winner_first_in END AS winner_first_in,
    CASE WHEN winner_adds_up THEN winner_first_won END AS winner_first_won,
    CASE WHEN winner_adds_up THEN winner_second_won END AS winner_second_won,
    CASE WHEN winner_adds_up THEN winner_service_games END AS winner_service_games,
    CASE WHEN winner_adds_up THEN winner_break_points_saved END AS winner_break_points_saved,
    CASE WHEN winner_adds_up THEN winner_break_points_faced END AS winner_break_points_faced,
    CASE WHEN loser_adds_up THEN loser_aces END AS loser_aces,
    CASE WHEN loser_adds_up THEN loser_double_faults END AS loser_double_faults,
    CASE WHEN loser_adds_up THEN loser_serve_points END AS loser_serve_points,
    CASE WHEN loser_adds_up THEN loser_first_in END AS loser_first_in,
    CASE WHEN loser_adds_up THEN loser_first_won END AS loser_first_won,
    CASE WHEN loser_adds_up THEN loser_second_won END AS loser_second_won,
    CASE WHEN loser_adds_up THEN loser_service_games END AS loser_service_games,
    CASE WHEN loser_adds_up THEN loser_break_points_saved END AS loser_break_points_saved,
    CASE WHEN loser_adds_up THEN loser_break_points_faced END AS loser_break_points_faced
FROM told AS m
JOIN tennis_players AS winner ON winner.player_id = m.tour || '-' || m.winner_ref
JOIN tennis_players AS loser ON loser.player_id = m.tour || '-' || m.loser_ref
LEFT JOIN tennis_match_pairs AS o ON o.match_id = m.match_id
LEFT JOIN points AS p ON p.match_id = m.match_id
