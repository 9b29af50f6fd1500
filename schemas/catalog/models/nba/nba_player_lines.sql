-- Lines of players by game, each from the source that says most of it: a recorded box, a daily box, a log.
-- What a box leaves out is taken from the next. Whom a log lists has played, though boxes round a moment on
-- court to no second. Whom a box lists in both teams stands in the one that it lists first.
WITH boxes AS (
    SELECT
        1 AS preference,
        *
    FROM nba_stats_recorded_player_lines
    UNION ALL BY NAME
    SELECT
        2 AS preference,
        *
    FROM nba_boxscores_daily_lines
),

told AS (
    SELECT
        preference,
        line,
        game_id,
        team_id,
        player_id,
        concat_ws(' ', first_name, last_name) AS player_name,
        secs,
        position <> '' AND position IS NOT NULL AS is_starter,
        not_playing_reason,
        field_goals_made,
        field_goals_attempted,
        three_pointers_made,
        three_pointers_attempted,
        free_throws_made,
        free_throws_attempted,
        offensive_rebounds,
        defensive_rebounds,
        rebounds,
        assists,
        steals,
        blocks,
        turnovers,
        fouls,
        points,
        plus_minus
    FROM boxes
    UNION ALL BY NAME
    SELECT
        3 AS preference,
        line,
        game_id,
        team_id,
        player_id,
        player_name,
        minutes * 60 AS secs,
        field_goals_made,
        field_goals_attempted,
        three_pointers_made,
        three_pointers_attempted,
        free_throws_made,
        free_throws_attempted,
        offensive_rebounds,
        defensive_rebounds,
        rebounds,
        assists,
        steals,
        blocks,
        turnovers,
        fouls,
        points,
        plus_minus
    FROM nba_season_2023_26_player_logs
),

chosen AS (
    SELECT
        *,
        bool_or(coalesce(secs, 0) > 0 OR preference = 3) OVER (PARTITION BY game_id, player_id) AS has_played
    FROM told QUALIFY row_number() OVER (PARTITION BY game_id, player_id ORDER BY preference, line) = 1
)

-- Who did not play has no counts: a box writes zeros for him.
SELECT
    game_id,
    team_id,
    player_id,
    player_name,
    is_starter,
    not_playing_reason,
    has_played,
    preference <> 3 AS has_seconds,
    CASE
        WHEN
            has_played
            THEN
                COLUMNS(
                    '^(secs|field_goals_.*|three_pointers_.*|free_throws_.*|.*rebounds|assists|steals|blocks|turnovers|fouls|points|plus_minus)$' -- noqa: LT05
                )
    END AS '\1'
FROM chosen
