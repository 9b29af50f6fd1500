-- Players by their lasting code, with the newest season's name and club. A slug is the name; two players of
-- one name have the code behind it. Who is listed without position and never played is a coach.
WITH newest AS (
    SELECT
        p.*,
        c.team
    FROM soccer_feed_players AS p
    LEFT JOIN soccer_feed_clubs AS c ON c.season = p.season AND c.team_code = p.team_code
    WHERE p.position IS NOT NULL OR p.player_code IN (SELECT player_code FROM soccer_player_lines)
    QUALIFY row_number() OVER (PARTITION BY p.player_code ORDER BY p.season DESC) = 1
),

folded AS (
    SELECT
        *,
        trim(regexp_replace(
            strip_accents(lower(translate(name, 'ßøØłŁđĐıæÆ''’.', 'soOlLdDiaA'))), '[^a-z0-9]+',
            '-', 'g'
        ), '-') AS slug
    FROM newest
)

SELECT
    CASE WHEN count(*) OVER (
        PARTITION BY f.slug) > 1 OR f.slug = '' THEN ltrim(
        f.slug || '-' || f.player_code,
        '-'
    ) ELSE f.slug END AS player_slug,
    f.player_code,
    f.name,
    f.short_name,
    f.position,
    f.team AS team_slug,
    t.name AS team_name,
    f.season AS newest_season
FROM folded AS f
LEFT JOIN soccer_team_names AS t ON t.team = f.team
