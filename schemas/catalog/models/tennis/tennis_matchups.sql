-- Pairs of players in the draws of the newest captured week of each tour, by name and not by result, with
-- earlier meetings and the ratings that both had before the week.
WITH newest AS (
    SELECT
        tour,
        date_trunc('week', max(event_week)) AS week
    FROM tennis_matches GROUP BY tour
),

pairs AS (
    SELECT
        m.match_id,
        m.tour,
        m.event_slug,
        m.event_name,
        m.event_week,
        m.level,
        m.surface,
        m.round,
        m.round_place,
        least(m.winner_slug, m.loser_slug) AS first_slug,
        greatest(m.winner_slug, m.loser_slug) AS second_slug
    FROM tennis_matches AS m JOIN newest AS n ON n.tour = m.tour AND date_trunc('week', m.event_week) = n.week
),

met AS (
    SELECT
        p.match_id,
        count(*) FILTER (h.is_counted) AS meetings,
        count(*) FILTER (h.is_counted AND h.is_winner) AS first_wins
    FROM
        pairs
            AS p
    JOIN tennis_meetings AS h
        ON
            h.player_slug = p.first_slug AND h.opponent_slug = p.second_slug
            AND h.last_day < p.event_week
    GROUP BY p.match_id
)

SELECT
    p.match_id,
    p.tour,
    p.event_slug,
    p.event_name,
    p.event_week,
    p.level,
    p.surface,
    p.round,
    p.round_place,
    p.first_slug,
    a.name AS first_name,
    ea.elo_before_newest_week AS first_elo,
    sa.elo_before_newest_week AS first_surface_elo,
    p.second_slug,
    b.name AS second_name,
    eb.elo_before_newest_week AS second_elo,
    sb.elo_before_newest_week AS second_surface_elo,
    CAST(coalesce(h.meetings, 0) AS INTEGER) AS previous_meetings,
    CAST(coalesce(h.first_wins, 0) AS INTEGER) AS first_previous_wins,
    CAST(coalesce(h.meetings - h.first_wins, 0) AS INTEGER) AS second_previous_wins
FROM pairs AS p
JOIN tennis_players AS a ON a.player_slug = p.first_slug
JOIN tennis_players AS b ON b.player_slug = p.second_slug
LEFT JOIN tennis_elo AS ea ON ea.player_slug = p.first_slug AND ea.surface = 'all'
LEFT JOIN tennis_elo AS eb ON eb.player_slug = p.second_slug AND eb.surface = 'all'
LEFT JOIN tennis_elo AS sa ON sa.player_slug = p.first_slug AND sa.surface = p.surface
LEFT JOIN tennis_elo AS sb ON sb.player_slug = p.second_slug AND sb.surface = p.surface
LEFT JOIN met AS h ON h.match_id = p.match_id
