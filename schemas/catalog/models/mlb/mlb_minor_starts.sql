-- Each game of the schedule once: of several starts the one with a result, else the last. A club to be
-- determined is not known.
WITH told AS (
    SELECT
        *,
        split_part(season_and_level, '_', 2) AS file_level,
        home_name = 'To Be Determined' AS no_home,
        away_name = 'To Be Determined' AS no_away
    FROM mlb_milb_schedule_games
    QUALIFY
        row_number()
            OVER (
                PARTITION BY game_id
                ORDER BY home_score IS NULL, state NOT LIKE 'Final%' AND state NOT LIKE 'Completed%', starts_at DESC
            )
        = 1
)

SELECT
    game_id,
    season,
    file_level,
    CASE WHEN game_type = 'R' THEN 'regular' ELSE 'postseason' END AS phase,
    league_date,
    starts_at,
    CASE
        WHEN state LIKE 'Final%' OR state LIKE 'Completed%' OR state = 'Game Over' THEN 'final' WHEN
            state LIKE 'Suspended%'
            THEN 'suspended'
        WHEN state IN ('Scheduled', 'Pre-Game', 'Warmup') THEN 'scheduled' ELSE lower(replace(state, ' ', '_'))
    END AS status,
    CASE WHEN NOT no_home THEN home_id END AS home_id,
    CASE WHEN NOT no_home THEN home_name END AS home_name,
    CASE WHEN NOT no_away THEN away_id END AS away_id,
    CASE WHEN NOT no_away THEN away_name END AS away_name,
    home_score,
    away_score,
    scheduled_innings,
    series_description,
    series_game_number,
    description
FROM told
