-- Rankings by list, tour and place in the list. A list that ends before a place which an earlier one had has
-- an empty row there, without a tour, so that whoever asks for the newest list up to a day gets no place of
-- an older one.
WITH lists AS (
    SELECT
        'atp' AS tour,
        ranking_date,
        rank,
        player_ref,
        points
    FROM tennis_atp_matches_rankings
    UNION ALL
    SELECT
        'wta',
        ranking_date,
        rank,
        player_ref,
        points
    FROM tennis_wta_matches_rankings
),

placed AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY tour, ranking_date ORDER BY rank, player_ref) AS place
    FROM lists
),

ends AS (
    SELECT
        tour,
        ranking_date,
        max(place) AS places
    FROM placed GROUP BY ALL
),

longest AS (
    SELECT
        tour,
        max(places) AS places
    FROM ends GROUP BY tour
)

SELECT
    e.tour AS ranking_list,
    CAST(s.place AS INTEGER) AS place,
    e.ranking_date,
    p.tour,
    p.rank,
    coalesce(y.player_slug, '') AS player_slug,
    y.name AS player_name,
    y.country,
    p.points,
    p.tour IS NOT NULL AND e.ranking_date = max(e.ranking_date) OVER (PARTITION BY e.tour) AS is_newest
FROM ends AS e JOIN longest AS l USING (tour) JOIN (SELECT unnest(range(1, 10001)) AS place) AS s ON s.place <= l.places
LEFT JOIN placed AS p ON p.tour = e.tour AND p.ranking_date = e.ranking_date AND p.place = s.place
LEFT JOIN tennis_players AS y ON y.player_id = p.tour || '-' || p.player_ref
