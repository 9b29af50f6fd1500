-- Tables of regular seasons, in one list. Equal clubs are told apart by games among them, by games against
-- clubs that won half or more, and by the difference of points.
WITH played AS (
    SELECT
        *,
        CAST(result = 'W' AS INTEGER) AS won,
        row_number() OVER (PARTITION BY season, team_abbr ORDER BY league_date DESC, game_id DESC) AS nth
    FROM wnba_team_games
    WHERE phase = 'regular' AND result IS NOT NULL AND opponent_abbr IN (SELECT abbr FROM wnba_clubs)
),

sums AS (
    SELECT
        season,
        team_abbr,
        max(max(league_date)) OVER (PARTITION BY season) AS as_of,
        count(*) AS gp,
        sum(won) AS w,
        count(*) - sum(won) AS l,
        count(*) FILTER (is_home AND won = 1) AS home_w,
        count(*) FILTER (is_home AND won = 0) AS home_l,
        count(*) FILTER (NOT is_home AND won = 1) AS road_w,
        count(*) FILTER (NOT is_home AND won = 0) AS road_l,
        sum(won) FILTER (nth <= 10) AS last10_w,
        count(*) FILTER (nth <= 10) - sum(won) FILTER (nth <= 10) AS last10_l,
        arg_min(result, nth) AS streak_result,
        min(nth) FILTER (result = 'W') AS first_win,
        min(nth) FILTER (result = 'L') AS first_loss,
        sum(points_for) AS points_for,
        sum(points_against) AS points_against
    FROM played GROUP BY season, team_abbr
),

shares AS (
    SELECT
        *,
        CAST(w AS DOUBLE) / gp AS pct,
        w * 2 >= gp AS won_half
    FROM sums
),

among AS (
    SELECT
        s.season,
        s.team_abbr,
        CAST(sum(p.won) FILTER (e.pct = s.pct) AS DOUBLE) / nullif(count(*) FILTER (e.pct = s.pct), 0) AS among_pct,
        CAST(sum(p.won) FILTER (e.won_half) AS DOUBLE) / nullif(count(*) FILTER (e.won_half), 0) AS winners_pct
    FROM shares AS s JOIN played AS p USING (season, team_abbr)
    JOIN shares AS e ON e.season = s.season AND e.team_abbr = p.opponent_abbr
    GROUP BY s.season, s.team_abbr
),

ranked AS (
    SELECT
        s.*,
        rank() OVER (
            PARTITION BY
                s.season ORDER BY
                s.pct DESC, a.among_pct DESC NULLS LAST, a.winners_pct DESC NULLS LAST,
                s.points_for - s.points_against DESC
        ) AS rank,
        count(*) OVER (PARTITION BY s.season, s.pct) AS n_equal,
        count(*) OVER (PARTITION BY s.season, s.pct, a.among_pct) AS n_among,
        count(*) OVER (PARTITION BY s.season, s.pct, a.among_pct, a.winners_pct) AS n_winners,
        count(*)
            OVER (PARTITION BY s.season, s.pct, a.among_pct, a.winners_pct, s.points_for - s.points_against)
            AS n_points,
        first_value(s.w - s.l) OVER (PARTITION BY s.season ORDER BY s.pct DESC) AS lead
    FROM shares AS s LEFT JOIN among AS a USING (season, team_abbr)
)

SELECT
    r.season,
    r.rank,
    r.team_abbr,
    c.team_id,
    c.city || ' ' || c.name AS team_name,
    r.gp,
    r.w,
    r.l,
    r.pct,
    CAST(r.lead - (r.w - r.l) AS DOUBLE) / 2 AS games_behind,
    r.home_w,
    r.home_l,
    r.road_w,
    r.road_l,
    r.last10_w,
    r.last10_l,
    r.streak_result,
    CASE r.streak_result WHEN 'W' THEN coalesce(r.first_loss - 1, r.gp) ELSE coalesce(r.first_win - 1, r.gp) END
        AS streak_games,
    r.points_for,
    r.points_against,
    r.points_for - r.points_against AS diff,
    CAST(r.points_for - r.points_against AS DOUBLE) / r.gp AS net_points,
    CASE
        WHEN r.n_equal = 1 THEN NULL WHEN r.n_among = 1 THEN 'head_to_head' WHEN
            r.n_winners = 1
            THEN 'record_against_winners'
        WHEN r.n_points = 1 THEN 'point_difference' ELSE 'not_resolved'
    END AS tie_break,
    r.as_of,
    (
        SELECT count(*)
        FROM
            wnba_team_games AS m WHERE (m.season, m.team_abbr, m.phase) = (r.season, r.team_abbr, 'regular')
        AND m.result IS NULL AND m.status <> 'postponed' AND m.league_date <= r.as_of
    ) AS results_missing,
    o.seed AS official_rank,
    o.w AS official_w,
    o.l AS official_l
FROM ranked AS r JOIN wnba_clubs AS c ON c.abbr = r.team_abbr
LEFT JOIN wnba_schedule_2026_standings AS o USING (season, team_abbr)
