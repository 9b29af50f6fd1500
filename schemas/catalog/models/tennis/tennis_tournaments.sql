-- Tournaments on each tour: name, level, surface and draw of the newest edition, and the seasons that are
-- captured.
SELECT
    tour,
    event_slug,
    max_by(name, season) AS name,
    max_by(level, season) AS level,
    max_by(surface, season) AS surface,
    max_by(draw_size, season) AS draw_size,
    string_agg(season, ' ' ORDER BY season) AS seasons,
    max(season) AS newest_season
FROM tennis_editions GROUP BY tour, event_slug
