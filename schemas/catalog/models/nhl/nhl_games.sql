-- Games, played or to come, each from all that tell of it: a final state before any other, which grow old; of
-- final states the box before the schedule, of others the newest. The day of a game is that of its start in
-- New York.
WITH told AS (
    SELECT * FROM nhl_source_games
    UNION ALL BY NAME
    SELECT * FROM nhl_scoreboard_games
),

ordered AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY
                game_id ORDER BY
                coalesce(status, '') = 'final' DESC,
                CASE WHEN status = 'final' THEN NULL ELSE captured_at END DESC, preference
        ) AS nth
    FROM told
),

games AS (
    -- A value that is null does not count.
    SELECT
        game_id,
        arg_min(season, nth) AS season,
        arg_min(phase, nth) AS phase,
        arg_min(league_date, nth) AS league_date,
        arg_min(starts_at, nth) AS starts_at,
        arg_min(status, nth) AS status,
        arg_min(home_abbr, nth) AS home_abbr,
        arg_min(away_abbr, nth) AS away_abbr,
        arg_min(home_score, nth) FILTER (status = 'final' AND away_score IS NOT NULL) AS home_score,
        arg_min(away_score, nth) FILTER (status = 'final' AND home_score IS NOT NULL) AS away_score,
        arg_min(venue, nth) AS venue,
        arg_min(series_letter, nth) AS series_letter,
        arg_min(playoff_round, nth) AS playoff_round,
        arg_min(series_game_number, nth) AS series_game_number,
        arg_min(ended_in, nth) FILTER (status = 'final') AS ended_in
    FROM ordered GROUP BY game_id
),

pages AS (
    SELECT
        game_id,
        max(home_shots) AS home_shots,
        max(away_shots) AS away_shots
    FROM nhl_api_web_recorded_goals
    GROUP BY game_id
)

SELECT
    g.game_id,
    g.season,
    g.phase,
    g.league_date,
    g.starts_at,
    g.status,
    g.home_abbr,
    coalesce(hr.name, h.name) AS home_name,
    g.home_score,
    CASE WHEN g.status = 'final' THEN coalesce(l.home_shots, w.home_shots) END AS home_shots,
    g.away_abbr,
    coalesce(ar.name, a.name) AS away_name,
    g.away_score,
    CASE WHEN g.status = 'final' THEN coalesce(l.away_shots, w.away_shots) END AS away_shots,
    CASE
        WHEN g.status <> 'final' THEN NULL WHEN g.ended_in IS NOT NULL THEN g.ended_in
        WHEN abs(g.home_score - g.away_score) > 1 THEN 'regulation' ELSE d.decided_in
    END AS decided_in,
    g.venue,
    g.series_letter,
    g.playoff_round,
    g.series_game_number
FROM games AS g
LEFT JOIN nhl_clubs AS h ON h.abbr = g.home_abbr LEFT JOIN nhl_clubs AS a ON a.abbr = g.away_abbr
LEFT JOIN nhl_renamed AS hr ON hr.abbr = g.home_abbr AND g.season >= hr.from_season
LEFT JOIN nhl_renamed AS ar ON ar.abbr = g.away_abbr AND g.season >= ar.from_season
LEFT JOIN nhl_boxes_linescores AS l ON l.game_id = g.game_id LEFT JOIN pages AS w ON w.game_id = g.game_id
LEFT JOIN nhl_game_decisions AS d ON d.game_id = g.game_id
