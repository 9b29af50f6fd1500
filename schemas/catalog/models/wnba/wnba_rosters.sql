-- Who appeared for a club in a season, or was listed by it. No official roster.
WITH told AS (
    SELECT
        season,
        team_abbr,
        player_id,
        player_name,
        CAST(NULL AS VARCHAR) AS position,
        game_id,
        league_date
    FROM wnba_box_players
    WHERE has_played AND phase IN ('regular', 'playoffs')
    UNION ALL
    SELECT
        season,
        team_abbr,
        player_id,
        player_name,
        position,
        NULL,
        NULL
    FROM wnba_wehoop_boxes_profiles
    UNION ALL
    SELECT
        g.season,
        b.team_abbr,
        b.player_id,
        b.player_name,
        b.position,
        NULL,
        NULL
    FROM wnba_wehoop_boxes_boxes AS b JOIN wnba_games AS g USING (game_id) WHERE g.phase IN ('regular', 'playoffs')
)

SELECT
    team_abbr,
    c.team_id,
    season,
    player_id,
    coalesce(arg_max(player_name, league_date), max(player_name)) AS player_name,
    max(position) AS position,
    count(DISTINCT game_id) AS games,
    max(league_date) AS last_seen_on
FROM told JOIN wnba_clubs AS c ON c.abbr = told.team_abbr
WHERE player_name IS NOT NULL GROUP BY team_abbr, c.team_id, season, player_id
