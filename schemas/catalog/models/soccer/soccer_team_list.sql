-- Teams with their country: of a club that of the league it plays in, but for those that play across a
-- border.
SELECT
    t.team AS team_slug,
    t.name,
    t.is_nation AS is_national,
    CASE WHEN t.is_nation THEN t.name ELSE coalesce(hc.name, n.name) END AS country
FROM soccer_team_names AS t
LEFT JOIN soccer_homes AS h ON h.slug = t.team
LEFT JOIN soccer_countries AS hc ON hc.code = h.country
LEFT JOIN soccer_countries AS n ON n.code = t.league_country
WHERE t.team IN (
    SELECT home_slug FROM soccer_matches
    UNION
    SELECT away_slug FROM soccer_matches
)
