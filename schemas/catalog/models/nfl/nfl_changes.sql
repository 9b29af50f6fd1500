-- What changed of players. Between whole depth charts: who is new or gone, and whose best rank at his
-- position rose or fell. Within a chart year: whose last row of a team is older than its whole chart is gone
-- from the day after. Between injury reports of consecutive weeks: another game status. Trades are as stated.
WITH charts AS (
    SELECT DISTINCT
        season,
        chart_on
    FROM nfl_depth_charts
),

pairs AS (
    SELECT
        a.season AS old_season,
        a.chart_on AS old_on,
        b.season AS new_season,
        b.chart_on AS new_on
    FROM charts AS a JOIN charts AS b ON b.chart_on > a.chart_on
    QUALIFY row_number() OVER (PARTITION BY a.season ORDER BY b.chart_on) = 1
),

places AS (
    SELECT
        season,
        chart_on,
        team_id,
        player_key,
        max(player_id) AS player_id,
        max(player_name) AS player_name,
        position,
        min(rank) AS rank
    FROM nfl_depth_charts WHERE is_in_whole_chart AND position NOT IN ('KR', 'PR', 'H')
    GROUP BY season, chart_on, team_id, player_key, position
),

members AS (
    SELECT
        season,
        chart_on,
        team_id,
        player_key,
        max(player_id) AS player_id,
        max(player_name) AS player_name,
        string_agg(position || ' ' || rank, ', ' ORDER BY position) AS places
    FROM places GROUP BY season, chart_on, team_id, player_key
),

compared AS (
    SELECT
        p.new_on AS changed_on,
        b.team_id,
        b.player_key,
        b.player_id,
        b.player_name,
        CASE WHEN b.rank < a.rank THEN 'depth_up' ELSE 'depth_down' END AS kind,
        a.position || ' ' || a.rank AS before,
        b.position || ' ' || b.rank AS after
    FROM pairs AS p JOIN places AS a ON a.season = p.old_season
    JOIN
        places AS b
        ON b.season = p.new_season AND (b.team_id, b.player_key, b.position) = (a.team_id, a.player_key, a.position)
    WHERE a.rank <> b.rank
),

came AS (
    SELECT
        p.new_on AS changed_on,
        b.team_id,
        b.player_key,
        b.player_id,
        b.player_name,
        'new' AS kind,
        CAST(NULL AS VARCHAR) AS before,
        b.places AS after
    FROM pairs AS p JOIN members AS b ON b.season = p.new_season
    LEFT JOIN members AS a ON (a.season, a.team_id, a.player_key) = (p.old_season, b.team_id, b.player_key)
    WHERE a.player_key IS NULL
),

went AS (
    SELECT
        p.new_on AS changed_on,
        a.team_id,
        a.player_key,
        a.player_id,
        a.player_name,
        'gone' AS kind,
        a.places AS before,
        CAST(NULL AS VARCHAR) AS after
    FROM pairs AS p JOIN members AS a ON a.season = p.old_season
    LEFT JOIN members AS b ON (b.season, b.team_id, b.player_key) = (p.new_season, a.team_id, a.player_key)
    WHERE b.player_key IS NULL
),

lasts AS (
    SELECT
        season,
        team_id,
        player_key,
        max(player_id) AS player_id,
        max(player_name) AS player_name,
        max(last_seen_on) AS last_on,
        max(chart_on) AS chart_on
    FROM nfl_depth_charts GROUP BY season, team_id, player_key
),

left_team AS (
    SELECT
        l.last_on + 1 AS changed_on,
        l.team_id,
        l.player_key,
        l.player_id,
        l.player_name,
        'gone' AS kind,
        string_agg(d.position || ' ' || d.rank, ', ' ORDER BY d.position, d.rank) AS before,
        CAST(NULL AS VARCHAR) AS after
    FROM lasts AS l
    JOIN
        nfl_depth_charts AS d
        ON (d.season, d.team_id, d.player_key, d.last_seen_on) = (l.season, l.team_id, l.player_key, l.last_on)
    WHERE l.last_on < l.chart_on
    GROUP BY l.last_on, l.team_id, l.player_key, l.player_id, l.player_name
),

openings AS (
    SELECT
        season,
        min(league_date) AS opened_on
    FROM nfl_games WHERE phase = 'regular' AND league_date IS NOT NULL
    GROUP BY season
),

reports AS (
    -- A report is of the days before a week's games; its day here is the last of them, the Saturday before
    -- most of its games.
    SELECT
        i.*,
        CAST(date_trunc('week', o.opened_on) AS DATE) + 5 + 7 * (i.week - 1) AS changed_on,
        lag(i.week) OVER player AS week_before,
        lag(i.game_status) OVER player AS status_before
    FROM nfl_injuries AS i JOIN openings AS o USING (season)
    WINDOW player AS (PARTITION BY i.season, i.team_id, i.player_id ORDER BY i.week)
),

healed AS (
    SELECT
        changed_on,
        team_id,
        player_id AS player_key,
        player_id,
        player_name,
        'injury_status' AS kind,
        status_before AS before,
        game_status AS after
    FROM reports WHERE week_before = week - 1 AND status_before IS DISTINCT FROM game_status
),

trades AS (
    SELECT
        t.traded_on AS changed_on,
        b.team_id,
        coalesce(p.player_id, t.pfr_id, t.player_name) AS player_key,
        p.player_id,
        t.player_name,
        'trade' AS kind,
        a.team_id AS before,
        b.team_id AS after
    FROM nfl_release_export_trades AS t
    JOIN nfl_spellings AS a ON a.spelling = t.from_abbr JOIN nfl_spellings AS b ON b.spelling = t.to_abbr
    LEFT JOIN
        (SELECT
            pfr_id,
            min(player_id) AS player_id
        FROM nfl_players WHERE pfr_id IS NOT NULL GROUP BY pfr_id) AS p
        USING (pfr_id)
    WHERE t.player_name IS NOT NULL AND t.pick_season IS NULL
),

whole AS (
    SELECT * FROM compared
    UNION ALL
    SELECT * FROM came
    UNION ALL
    SELECT w.* FROM went AS w WHERE
        NOT EXISTS (
            SELECT 1
            FROM
                left_team AS l WHERE (l.team_id, l.player_key) = (w.team_id, w.player_key)
            AND l.changed_on > (SELECT min(chart_on) FROM charts) AND l.changed_on <= w.changed_on
        )
    UNION ALL
    SELECT * FROM left_team
    UNION ALL
    SELECT * FROM healed
    UNION ALL
    SELECT * FROM trades
)

SELECT DISTINCT
    w.changed_on,
    w.team_id,
    n.abbr AS team_abbr,
    w.player_key,
    w.player_id,
    w.player_name,
    w.kind,
    w.before,
    w.after,
    w.kind || coalesce(':' || w.before, '') || coalesce('>' || w.after, '') AS change_id
FROM whole AS w
JOIN nfl_club_names
    AS n ON n.team_id = w.team_id
AND year(w.changed_on) - CAST(month(w.changed_on) <= 2 AS INTEGER) BETWEEN CAST(n.first_season AS INTEGER)
AND CAST(n.last_season AS INTEGER)
