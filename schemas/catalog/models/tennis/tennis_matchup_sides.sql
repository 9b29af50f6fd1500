-- The two players of each match of the newest captured season, by name and not by result: meetings and form
-- of matches that had been played before its event began. Form has up to ten of the year before, newest
-- first, walkovers left out.
WITH pairs AS (
    SELECT
        match_id,
        tour,
        season,
        event_slug,
        event_name,
        event_week,
        surface,
        round,
        least(winner_slug, loser_slug) AS first_slug,
        greatest(winner_slug, loser_slug) AS second_slug
    FROM tennis_matches WHERE season = (SELECT max(season) FROM tennis_matches)
),

sides AS (
    SELECT
        match_id,
        event_week,
        first_slug AS slug
    FROM pairs
    UNION ALL
    SELECT
        match_id,
        event_week,
        second_slug
    FROM pairs
),

formed AS (
    SELECT
        s.match_id,
        s.slug,
        list(
            CASE WHEN h.is_winner THEN 'W' ELSE 'L' END
            ORDER BY h.event_week DESC, h.round_place DESC, h.match_number DESC, h.match_id DESC
        )[1:10
        ] AS form
    FROM sides AS s JOIN tennis_meetings AS h
        ON
            h.player_slug = s.slug AND h.last_day < s.event_week
            AND h.event_week >= s.event_week - 365 AND h.is_counted
    GROUP BY ALL
),

met AS (
    SELECT
        p.match_id,
        count(*) AS meetings,
        count(*) FILTER (h.is_winner) AS first_wins
    FROM
        pairs
            AS p
    JOIN tennis_meetings AS h
        ON
            h.player_slug = p.first_slug AND h.opponent_slug = p.second_slug
            AND h.last_day < p.event_week AND h.is_counted
    GROUP BY p.match_id
)

SELECT
    p.match_id,
    p.tour,
    p.season,
    p.event_slug,
    p.event_name,
    p.event_week,
    p.surface,
    p.round,
    p.first_slug,
    a.name AS first_name,
    fa.form AS first_form,
    p.second_slug,
    b.name AS second_name,
    fb.form AS second_form,
    CAST(coalesce(h.meetings, 0) AS INTEGER) AS previous_meetings,
    CAST(coalesce(h.first_wins, 0) AS INTEGER) AS first_previous_wins,
    CAST(coalesce(h.meetings - h.first_wins, 0) AS INTEGER) AS second_previous_wins
FROM pairs AS p
JOIN tennis_players AS a ON a.player_slug = p.first_slug
JOIN tennis_players AS b ON b.player_slug = p.second_slug
LEFT JOIN formed AS fa ON fa.match_id = p.match_id AND fa.slug = p.first_slug
LEFT JOIN formed AS fb ON fb.match_id = p.match_id AND fb.slug = p.second_slug
LEFT JOIN met AS h ON h.match_id = p.match_id
