-- Games by id: what the best source of each says, and what only others state.
WITH ranked AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY game_id ORDER BY preference) AS place
    FROM mlb_source_games
),

named AS (
    SELECT DISTINCT ON (team_id, season)
        team_id,
        season,
        name
    FROM mlb_team_names ORDER BY team_id, season, preference
),

other AS (
    SELECT
        game_id,
        max(starts_at) AS starts_at,
        max(game_number) AS game_number,
        max(label) AS label
    FROM ranked
    GROUP BY game_id
)

SELECT
    g.game_id,
    g.season,
    g.phase,
    g.league_date,
    coalesce(g.starts_at, o.starts_at) AS starts_at,
    g.local_start,
    coalesce(g.game_number, o.game_number) AS game_number,
    g.status,
    g.home_id,
    CASE WHEN g.home_id = '133' AND g.season < '2025' THEN 'OAK' ELSE h.abbr END AS home_abbr,
    coalesce(hn.name, concat_ws(' ', h.city, h.name)) AS home_name,
    g.home_score,
    g.home_hits,
    g.home_errors,
    g.home_probable_id,
    g.home_probable_name,
    g.away_id,
    CASE WHEN g.away_id = '133' AND g.season < '2025' THEN 'OAK' ELSE a.abbr END AS away_abbr,
    coalesce(an.name, concat_ws(' ', a.city, a.name)) AS away_name,
    g.away_score,
    g.away_hits,
    g.away_errors,
    g.away_probable_id,
    g.away_probable_name,
    g.venue,
    g.weather,
    g.temperature_f,
    g.wind,
    g.attendance,
    g.minutes,
    g.is_partial,
    g.partial_reason,
    g.shortened_reason,
    coalesce(g.label, o.label) AS label,
    g.retro_id
FROM ranked AS g JOIN other AS o USING (game_id)
LEFT JOIN mlb_clubs AS h ON h.team_id = g.home_id LEFT JOIN mlb_clubs AS a ON a.team_id = g.away_id
LEFT JOIN named AS hn ON (hn.team_id, hn.season) = (g.home_id, g.season)
LEFT JOIN named AS an ON (an.team_id, an.season) = (g.away_id, g.season)
WHERE g.place = 1
