-- Tables of regular seasons, from final games. One defeat of which nobody tells whether it came in overtime
-- makes the overtime defeats, points and rank of its team unknown. Equal teams are told apart by points in
-- games among them, then by goal difference and goals; what is equal after that has one rank. A season counts
-- once it has a final game, and then every team that is listed stands in its table.
WITH listed AS (
    SELECT
        *,
        bool_or(result IS NOT NULL) OVER (PARTITION BY season) AS has_begun,
        max(CASE WHEN result IS NOT NULL THEN league_date END) OVER (PARTITION BY season) AS as_of
    FROM nhl_team_games WHERE phase = 'regular' AND season IN (SELECT season FROM nhl_listed_seasons)
),

played AS (
    SELECT
        *,
        row_number()
            OVER (PARTITION BY season, team_abbr, result IS NULL ORDER BY league_date DESC, game_id DESC)
            AS nth
    FROM listed WHERE has_begun
),

sums AS (
    SELECT
        season,
        team_abbr,
        as_of,
        count(result) AS gp,
        count(
            *) FILTER (
            result IS NULL
            AND league_date <= as_of
        ) AS results_missing,
        count(*) FILTER (result = 'W') AS w,
        count(*) FILTER (result <> 'W') AS lost,
        count(*)
        FILTER (result = 'OTL') AS otl_known,
        count(*) FILTER (result IS NOT NULL AND points IS NULL) AS untold,
        coalesce(sum(points), 0) AS points_known,
        count(*) FILTER (result = 'W' AND decided_in = 'regulation') AS rw,
        count(*) FILTER (result = 'W' AND decided_in <> 'shootout') AS row_wins,
        count(*) FILTER (result = 'W' AND decided_in IS NULL) AS untold_wins,
        coalesce(
            sum(goals_for) FILTER (result IS NOT NULL), 0
        ) AS gf,
        coalesce(
            sum(goals_against)
            FILTER (result IS NOT NULL), 0
        ) AS ga,
        count(*) FILTER (is_home AND result = 'W') AS home_w,
        count(*) FILTER (is_home AND result = 'L') AS home_l,
        count(*) FILTER (is_home AND result = 'OTL') AS home_otl,
        count(*) FILTER (is_home AND result IS NOT NULL AND points IS NULL) AS home_untold,
        count(*) FILTER (NOT is_home AND result = 'W') AS road_w,
        count(*) FILTER (NOT is_home AND result = 'L') AS road_l,
        count(*) FILTER (NOT is_home AND result = 'OTL') AS road_otl,
        count(*) FILTER (NOT is_home AND result IS NOT NULL AND points IS NULL) AS road_untold,
        count(*) FILTER (nth <= 10 AND result = 'W') AS last10_w,
        count(*) FILTER (nth <= 10 AND result = 'L') AS last10_l,
        count(*) FILTER (nth <= 10 AND result = 'OTL') AS last10_otl,
        count(*) FILTER (nth <= 10 AND result IS NOT NULL AND points IS NULL) AS last10_untold
    FROM played GROUP BY ALL
),

pointed AS (
    SELECT
        *,
        CASE WHEN untold = 0 THEN points_known END AS points,
        CASE WHEN untold_wins = 0 THEN rw END AS rw_told,
        CASE WHEN untold_wins = 0 THEN row_wins END AS row_told
    FROM sums
),

grouped AS (
    SELECT
        *,
        dense_rank() OVER (PARTITION BY
            season ORDER BY points DESC NULLS LAST,
        CAST(points AS DOUBLE) / nullif(gp, 0) DESC NULLS LAST,
        rw_told DESC NULLS LAST, row_told DESC NULLS LAST, w DESC) AS equals
    FROM pointed
),

among AS (
    SELECT
        a.season,
        a.team_abbr,
        sum(p.points) AS points_among
    FROM grouped AS a JOIN played AS p USING (season, team_abbr)
    JOIN grouped AS b ON b.season = a.season AND b.team_abbr = p.opponent_abbr AND b.equals = a.equals
    GROUP BY ALL
),

ranked AS (
    SELECT
        g.*,
        rank()
            OVER (PARTITION BY g.season ORDER BY equals, points_among DESC NULLS LAST, gf - ga DESC, gf DESC)
            AS place,
        count(*) OVER (PARTITION BY g.season, equals) AS n_equal,
        count(*) OVER (PARTITION BY g.season, equals, points_among) AS n_among,
        count(*) OVER (PARTITION BY g.season, equals, points_among, gf - ga) AS n_difference,
        count(*) OVER (PARTITION BY g.season, equals, points_among, gf - ga, gf) AS n_goals,
        bool_or(g.points IS NULL) OVER (PARTITION BY g.season) AS is_untold
    FROM grouped AS g LEFT JOIN among USING (season, team_abbr)
)

SELECT
    season,
    team_abbr,
    CASE WHEN NOT is_untold THEN place END AS rank,
    gp,
    w,
    CASE WHEN untold = 0 THEN lost - otl_known END AS l,
    CASE WHEN untold = 0 THEN otl_known END AS otl,
    lost,
    points,
    CAST(points AS DOUBLE) / nullif(2 * gp, 0) AS points_pct,
    rw_told AS rw,
    row_told AS row,
    gf,
    ga,
    gf - ga AS diff,
    home_w,
    CASE WHEN home_untold = 0 THEN home_l END AS home_l,
    CASE WHEN home_untold = 0 THEN home_otl END AS home_otl,
    road_w,
    CASE WHEN road_untold = 0 THEN road_l END AS road_l,
    CASE WHEN road_untold = 0 THEN road_otl END AS road_otl,
    last10_w,
    CASE WHEN last10_untold = 0 THEN last10_l END AS last10_l,
    CASE
        WHEN last10_untold = 0 THEN last10_otl
    END AS last10_otl,
    CASE
        WHEN is_untold OR n_equal = 1 THEN NULL WHEN n_among = 1 THEN 'head_to_head'
        WHEN n_difference = 1 THEN 'goal_difference'
        WHEN n_goals = 1 THEN 'goals' ELSE 'not_resolved'
    END AS tie_break,
    as_of,
    results_missing
FROM ranked
