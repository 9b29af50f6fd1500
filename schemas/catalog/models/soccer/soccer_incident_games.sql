-- Matches that `incidents` describes: one row each, of what stands beside every incident.
SELECT
    i.file,
    i.league,
    coalesce(c.slug, regexp_replace(replace(i.league, '_', '-'), '-\d{4}(-\d{4})?$', '')) AS competition,
    coalesce(c.name, regexp_replace(i.league, '-\d{4}(-\d{4})?$', '')) AS competition_name,
    c.country,
    CASE WHEN regexp_matches(i.league, '-\d{4}-\d{4}$') THEN left(
        right(i.league, 9), 4) || '-' || right(
        i.league,
        2
    ) ELSE right(i.league, 4) END AS season,
    i.match_date,
    i.home_name,
    i.away_name,
    max(i.home_score) AS home_score,
    max(i.away_score) AS away_score,
    max(i.referee) AS referee,
    max(i.venue) AS venue,
    max(i.city) AS city,
    max(TRY_CAST(regexp_replace(i.attendance_text, '\D', '', 'g') AS INTEGER)) AS attendance,
    CAST(count(*) AS INTEGER) AS n_incidents
FROM soccer_incidents_events AS i
LEFT JOIN soccer_competitions AS c ON c.incidents_name = regexp_replace(i.league, '-\d{4}(-\d{4})?$', '')
GROUP BY ALL
