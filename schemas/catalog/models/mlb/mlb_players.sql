-- Everybody who has a line or a place in a roster, by the best name. Logs of pitchers name nobody.
WITH told AS (
    SELECT
        player_ref AS player_id,
        player_name,
        CAST(NULL AS VARCHAR) AS season,
        position,
        bats,
        throws,
        born_on,
        1 AS preference
    FROM mlb_statsapi_recorded_people
    UNION ALL
    SELECT
        player_ref,
        player_name,
        NULL,
        position,
        bats,
        throws,
        born_on,
        2
    FROM mlb_statsapi_recorded_game_people
    UNION ALL
    SELECT
        player_id,
        player_name,
        season,
        position,
        bats,
        throws,
        NULL,
        3
    FROM mlb_rosters
    UNION ALL
    SELECT
        player_id,
        player_name,
        season,
        NULL,
        NULL,
        NULL,
        NULL,
        4
    FROM mlb_player_seasons
    UNION ALL
    SELECT
        player_id,
        player_name,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        5
    FROM mlb_batting_lines
    UNION ALL
    SELECT
        player_id,
        player_name,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        6
    FROM mlb_pitching_lines
    UNION ALL
    SELECT
        mlbam_id,
        name,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        7
    FROM mlb_player_ids
    UNION ALL
    SELECT
        player_id,
        NULL,
        season,
        NULL,
        NULL,
        NULL,
        NULL,
        8
    FROM mlb_props_batter_pitcher_logs
),

refs AS (
    SELECT
        player_id,
        min(retro_id) AS retro_id
    FROM mlb_player_refs GROUP BY player_id
),

best AS (
    SELECT
        player_id,
        arg_min(player_name, (preference, -coalesce(TRY_CAST(season AS INTEGER), 0), player_name))
        FILTER (player_name IS NOT NULL) AS player_name,
        arg_min(position, (preference, -coalesce(TRY_CAST(season AS INTEGER), 0), position))
        FILTER (position IS NOT NULL) AS position,
        arg_min(bats, (preference, -coalesce(TRY_CAST(season AS INTEGER), 0), bats)) FILTER (bats IS NOT NULL) AS bats,
        arg_min(throws, (preference, -coalesce(TRY_CAST(season AS INTEGER), 0), throws))
        FILTER (throws IS NOT NULL) AS throws,
        min(born_on) AS born_on,
        max(season) AS newest_season
    FROM told GROUP BY player_id
)

SELECT
    b.*,
    r.retro_id
FROM best AS b LEFT JOIN refs AS r USING (player_id)
WHERE b.player_name IS NOT NULL OR b.player_id IN (SELECT player_id FROM mlb_props_batter_pitcher_logs)
