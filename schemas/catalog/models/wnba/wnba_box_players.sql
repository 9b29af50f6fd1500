-- Lines of players by game: of the longer source, else of the other. Who did not play has no counts. The
-- longer source lists only who played; less than half a minute is 0 there, or no time. In the other who has
-- neither time nor counts has not played. Whom a source lists in both teams of a game is of the team of which
-- she is in most other games of the season, else of none.
WITH told AS (
    SELECT
        1 AS preference,
        game_id,
        player_id,
        player_name,
        team_abbr,
        is_starter,
        secs,
        points,
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
        turnovers,
        steals,
        blocks,
        fouls,
        plus_minus
    FROM wnba_line_capture_boxes
    UNION ALL BY NAME
    SELECT
        2 AS preference,
        game_id,
        player_id,
        player_name,
        team_abbr,
        is_starter,
        secs,
        points,
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
        turnovers,
        steals,
        blocks,
        fouls,
        plus_minus
    FROM wnba_wehoop_boxes_boxes
    WHERE NOT coalesce(did_not_play, false)
),

sided AS (
    SELECT
        t.*,
        g.season,
        count(*) OVER (PARTITION BY t.game_id, t.player_id, t.preference) AS n_teams
    FROM told AS t JOIN wnba_games AS g USING (game_id)
),

own AS (
    SELECT
        season,
        player_id,
        team_abbr,
        count(DISTINCT game_id) AS games
    FROM sided WHERE n_teams = 1 GROUP BY ALL
),

placed AS (
    SELECT
        s.*,
        coalesce(o.games, 0) AS own_games,
        rank() OVER (PARTITION BY s.game_id, s.player_id, s.preference ORDER BY coalesce(o.games, 0) DESC) AS nth_team
    FROM sided AS s LEFT JOIN own AS o USING (season, player_id, team_abbr)
),

chosen AS (
    SELECT
        *,
        preference = 1 OR coalesce(secs, 0) > 0
        OR coalesce(points, 0)
        + coalesce(field_goals_attempted, 0)
        + coalesce(free_throws_attempted, 0)
        + coalesce(rebounds, 0)
        + coalesce(assists, 0) + coalesce(turnovers, 0) + coalesce(steals, 0) + coalesce(blocks, 0) + coalesce(fouls, 0)
        > 0 AS has_played
    FROM placed
    WHERE nth_team = 1
    QUALIFY
        count(*) OVER (PARTITION BY game_id, player_id, preference) = 1
        AND row_number() OVER (PARTITION BY game_id, player_id ORDER BY preference) = 1
),

teams AS (
    SELECT
        game_id,
        team_abbr,
        sum(secs) AS team_secs,
        sum(field_goals_attempted + .44 * free_throws_attempted + turnovers) AS team_used,
        sum(rebounds) AS team_rebounds
    FROM chosen WHERE has_played GROUP BY ALL
)

SELECT
    c.game_id,
    c.team_abbr,
    c.player_id,
    c.season,
    g.phase,
    g.league_date,
    c.player_name,
    c.is_starter,
    CASE WHEN c.team_abbr = g.home_abbr THEN g.away_abbr ELSE g.home_abbr END AS opponent_abbr,
    c.team_abbr = g.home_abbr AS is_home,
    CASE
        WHEN
            c.has_played
            THEN
                COLUMNS(
                    '^(secs|field_goals_.*|three_pointers_.*|free_throws_.*|offensive_rebounds|defensive_rebounds|rebounds|assists|steals|blocks|turnovers|fouls|points|plus_minus)$' -- noqa: LT05
                )
    END AS '\1',
    CASE
        WHEN
            c.has_played
            THEN CAST(c.points AS DOUBLE) / nullif(2 * (c.field_goals_attempted + .44 * c.free_throws_attempted), 0)
    END AS ts_pct,
    CASE
        WHEN c.has_played THEN
            (c.field_goals_attempted + .44 * c.free_throws_attempted + c.turnovers) * (t.team_secs / 5.0)
            / nullif(c.secs * t.team_used, 0)
    END AS usg_pct,
    c.has_played
FROM chosen AS c
JOIN wnba_games AS g USING (game_id)
LEFT JOIN teams AS t ON (t.game_id, t.team_abbr) = (c.game_id, c.team_abbr)
WHERE c.team_abbr IN (g.home_abbr, g.away_abbr)
