-- Matches of national teams. Two teams met twice on one day once: such matches are numbered from the second
-- on.
WITH named AS (
    SELECT
        r.*,
        h.team AS home_slug,
        a.team AS away_slug,
        CAST(year(r.match_date) AS VARCHAR) AS season,
        trim(
            regexp_replace(strip_accents(lower(replace(r.tournament, '''', ''))), '[^a-z0-9]+', '-', 'g'),
            '-'
        ) AS competition,
        row_number() OVER (PARTITION BY r.match_date, r.home_name, r.away_name ORDER BY r.file, r.line) AS n_of_day
    FROM soccer_internationals_results AS r
    JOIN soccer_team_aliases AS h ON h.name = r.home_name AND h.is_nation
    JOIN soccer_team_aliases AS a ON a.name = r.away_name AND a.is_nation
    WHERE h.team <> a.team
)

SELECT
    n.competition || '-' || n.season || '-' || CAST(n.match_date AS VARCHAR) || '-' || n.home_slug || '-' || n.away_slug
    || CASE WHEN n.n_of_day > 1 THEN '-' || CAST(n.n_of_day AS VARCHAR) ELSE '' END AS match_id,
    n.competition,
    n.tournament AS competition_name,
    n.season,
    n.match_date,
    n.n_of_day,
    n.home_name,
    n.away_name,
    n.home_slug,
    n.away_slug,
    CASE WHEN n.away_score IS NOT NULL THEN n.home_score END AS home_score,
    CASE WHEN n.home_score IS NOT NULL THEN n.away_score END AS away_score,
    n.city,
    n.country,
    n.is_neutral,
    s.winner_name,
    s.first_shooter_name
FROM named AS n
LEFT JOIN soccer_internationals_shootouts
    AS s ON s.match_date = n.match_date AND s.home_name = n.home_name
AND s.away_name = n.away_name AND n.n_of_day = 1
