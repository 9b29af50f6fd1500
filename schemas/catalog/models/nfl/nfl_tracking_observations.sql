-- Tracking figures of quarterbacks by week of a regular season: means of the week times its attempts, in
-- hundredths, since the engine sums whole numbers. A week has no day in the source: its last is the Wednesday
-- before the next week's first game, since games were moved to Tuesdays and Wednesdays, and a season may open
-- on a Wednesday.
WITH openings AS (
    SELECT
        season,
        min(league_date) AS opened_on
    FROM nfl_games WHERE phase = 'regular' AND league_date IS NOT NULL
    GROUP BY season
)

SELECT
    t.player_id,
    coalesce(p.player_name, t.player_name) AS player_name,
    CAST(t.season AS VARCHAR) AS season,
    CAST(date_trunc('week', o.opened_on) AS DATE) + 9 + 7 * (t.week - 1) AS week_ends_on,
    s.team_id,
    'QB' AS pool,
    t.attempts,
    CAST(round(100 * t.time_to_throw_secs * t.attempts) AS BIGINT) AS throw_time_e2,
    CAST(round(100 * t.intended_air_yards * t.attempts) AS BIGINT) AS intended_yards_e2,
    CAST(round(t.completion_over_expected_pct * t.attempts) AS BIGINT) AS completions_over_e2
FROM nfl_release_export_tracking AS t JOIN openings AS o ON o.season = CAST(t.season AS VARCHAR)
LEFT JOIN nfl_spellings AS s ON s.spelling = t.team_abbr
LEFT JOIN nfl_players AS p USING (player_id)
WHERE t.phase = 'REG' AND t.week > 0 AND t.attempts > 0
