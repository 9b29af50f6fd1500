-- Routes with the seasons that they hold and the time of the newest capture. Rows are those of the table that
-- a route answers from.
WITH captured AS (
    SELECT max(captured_at) AS captured_at FROM (
        SELECT captured_at FROM nfl_gamecenter_games
        UNION ALL
        SELECT captured_at FROM nfl_games_lines_games
        UNION ALL
        SELECT captured_at
        FROM nfl_market_open_close_spreads
        UNION ALL
        SELECT captured_at
        FROM nfl_player_weeks_lines
        UNION ALL
        SELECT captured_at
        FROM nfl_release_export_injuries
        UNION ALL
        SELECT captured_at
        FROM nfl_props_one_game_lines
        UNION ALL
        SELECT captured_at FROM nfl_scoreboard_recorded_sides
    )
),

played AS (
    SELECT
        game_id,
        season
    FROM nfl_games
),

told AS (
    SELECT
        'games' AS content,
        count(*) AS rows,
        min(season) AS first_season,
        max(season) AS last_season
    FROM nfl_games
    UNION ALL
    SELECT
        'results',
        count(*),
        min(season),
        max(season)
    FROM nfl_games WHERE status = 'final'
    UNION ALL
    SELECT
        'scoreboard',
        count(*),
        min(season),
        max(season)
    FROM nfl_scoreboard
    UNION ALL
    SELECT
        'odds',
        count(*),
        min(season),
        max(season)
    FROM nfl_odds
    UNION ALL
    SELECT
        'standings',
        count(*),
        min(season),
        max(season)
    FROM nfl_standings
    UNION ALL
    SELECT
        'team_dna',
        count(*),
        min(season),
        max(season)
    FROM nfl_team_dna
    UNION ALL
    SELECT
        'ratings',
        count(*),
        min(season),
        max(season)
    FROM nfl_team_ratings
    UNION ALL
    SELECT
        'ratings_validity',
        count(*),
        min(season),
        max(season)
    FROM nfl_team_ratings_validity WHERE season <> 'measured'
    UNION ALL
    SELECT
        'teams',
        count(*),
        min(season),
        max(season)
    FROM nfl_teams
    UNION ALL
    SELECT
        'rosters',
        count(*),
        min(season),
        max(season)
    FROM nfl_rosters
    UNION ALL
    SELECT
        'box_players',
        count(*),
        min(season),
        max(season)
    FROM nfl_box_players
    UNION ALL
    SELECT
        'plays',
        count(*),
        min(season),
        max(season)
    FROM nfl_plays JOIN played USING (game_id)
    UNION ALL
    SELECT
        'drives',
        count(*),
        min(season),
        max(season)
    FROM nfl_drives JOIN played USING (game_id)
    UNION ALL
    SELECT
        'game_leaders',
        count(*),
        min(season),
        max(season)
    FROM nfl_game_leaders
    JOIN played USING (game_id)
    UNION ALL
    SELECT
        'winprob',
        count(*),
        min(season),
        max(season)
    FROM nfl_winprob JOIN played USING (game_id)
    UNION ALL
    SELECT
        'season_list',
        count(*),
        min(season),
        max(season)
    FROM nfl_season_list
    UNION ALL
    SELECT
        'current_stats',
        count(*),
        min(season),
        max(season)
    FROM nfl_current_stats
    UNION ALL
    SELECT
        'current_players',
        count(*),
        min(season),
        max(season)
    FROM nfl_current_players
    UNION ALL
    SELECT
        'stats',
        count(*),
        min(season),
        max(season)
    FROM nfl_stats
    UNION ALL
    SELECT
        'injuries',
        count(*),
        min(season),
        max(season)
    FROM nfl_injuries
    UNION ALL
    SELECT
        'changes',
        count(*),
        CAST(min(year(changed_on - 59)) AS VARCHAR),
        CAST(max(year(changed_on - 59)) AS VARCHAR)
    FROM nfl_changes
    UNION ALL
    SELECT
        'game_weather',
        count(*),
        min(season),
        max(season)
    FROM nfl_game_weather
    UNION ALL
    SELECT
        'market_catalog',
        count(*),
        min(first_season),
        max(last_season)
    FROM nfl_market_catalog
    UNION ALL
    SELECT
        'events',
        count(*),
        min(season),
        max(season)
    FROM nfl_events
    UNION ALL
    SELECT
        'prices',
        count(*),
        min(season),
        max(season)
    FROM nfl_prices JOIN played USING (game_id)
    UNION ALL
    SELECT
        'props',
        count(*),
        min(season),
        max(season)
    FROM nfl_props JOIN played USING (game_id)
    UNION ALL
    SELECT
        'line_movement',
        count(*),
        min(season),
        max(season)
    FROM nfl_line_movement
    JOIN played USING (game_id)
    UNION ALL
    SELECT
        'intelligence_teams',
        count(*),
        min(season),
        max(season)
    FROM nfl_intelligence_teams
    JOIN played USING (game_id)
    UNION ALL
    SELECT
        'dna_' || lower(pool),
        count(*),
        min(season),
        max(season)
    FROM nfl_dna_seasons GROUP BY pool
)

SELECT
    r.path,
    r.kind AS route_kind,
    r.content,
    t.rows,
    t.first_season,
    t.last_season,
    CASE
        WHEN r.kind = 'none' THEN 'not_available' WHEN r.content IS NULL OR t.rows > 0 THEN 'served'
        ELSE 'empty'
    END AS state,
    CASE WHEN r.kind <> 'none' AND t.rows > 0 THEN c.captured_at END AS last_captured_at
FROM nfl_routes AS r CROSS JOIN captured AS c LEFT JOIN told AS t USING (content)
