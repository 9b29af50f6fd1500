-- Standings of regular seasons, from final games. One defeat of which nobody tells whether it came in overtime makes the
-- overtime defeats, points and rank of its team unknown. Equal teams are told apart by points in games among them, then by
-- goal difference and goals; what is equal after that has one rank.
WITH played AS (
    SELECT * FROM nhl_team_games WHERE phase = 'regular' AND status = 'final' AND result IS NOT NULL
), recent AS (
    SELECT *, row_number() OVER (PARTITION BY season, team_abbr ORDER BY league_date DESC, game_id DESC) AS nth FROM played
), sums AS (
    SELECT season, team_abbr, count(*) AS gp, count(*) FILTER (result = 'W') AS w,
           count(*) FILTER (result <> 'W') AS lost, count(*) FILTER (result = 'OTL') AS otl_known,
           count(*) FILTER (points IS NULL) AS untold, sum(points) AS points_known,
           count(*) FILTER (result = 'W' AND decided_in = 'regulation') AS rw,
           count(*) FILTER (result = 'W' AND decided_in <> 'shootout') AS row_wins,
           count(*) FILTER (result = 'W' AND decided_in IS NULL) AS untold_wins,
           sum(goals_for) AS gf, sum(goals_against) AS ga,
           count(*) FILTER (is_home AND result = 'W') AS home_w, count(*) FILTER (is_home AND result = 'L') AS home_l,
           count(*) FILTER (is_home AND result = 'OTL') AS home_otl, count(*) FILTER (is_home AND points IS NULL) AS home_untold,
           count(*) FILTER (NOT is_home AND result = 'W') AS road_w, count(*) FILTER (NOT is_home AND result = 'L') AS road_l,
           count(*) FILTER (NOT is_home AND result = 'OTL') AS road_otl, count(*) FILTER (NOT is_home AND points IS NULL) AS road_untold,
           count(*) FILTER (nth <= 10 AND result = 'W') AS last10_w, count(*) FILTER (nth <= 10 AND result = 'L') AS last10_l,
           count(*) FILTER (nth <= 10 AND result = 'OTL') AS last10_otl, count(*) FILTER (nth <= 10 AND points IS NULL) AS last10_untold,
           max(league_date) AS as_of
    FROM recent GROUP BY ALL
), pointed AS (
    SELECT *, CASE WHEN untold = 0 THEN points_known END AS points, CASE WHEN untold_wins = 0 THEN rw END AS rw_told,
           CASE WHEN untold_wins = 0 THEN row_wins END AS row_told FROM sums
), grouped AS (
    SELECT *, dense_rank() OVER (PARTITION BY season ORDER BY points DESC NULLS LAST, CAST(points AS DOUBLE) / gp DESC NULLS LAST,
                                 rw_told DESC NULLS LAST, row_told DESC NULLS LAST, w DESC) AS equals FROM pointed
), among AS (
    SELECT a.season, a.team_abbr, sum(p.points) AS points_among
    FROM grouped AS a JOIN played AS p USING (season, team_abbr)
    JOIN grouped AS b ON b.season = a.season AND b.team_abbr = p.opponent_abbr AND b.equals = a.equals
    GROUP BY ALL
), ranked AS (
    SELECT g.*, rank() OVER (PARTITION BY g.season ORDER BY equals, points_among DESC NULLS LAST, gf - ga DESC, gf DESC) AS place,
           count(*) OVER (PARTITION BY g.season, equals) AS n_equal,
           bool_or(g.points IS NULL) OVER (PARTITION BY g.season) AS is_untold
    FROM grouped AS g LEFT JOIN among USING (season, team_abbr)
)
SELECT r.season, r.team_abbr, c.name AS team_name, c.conference, c.division,
       CASE WHEN NOT is_untold THEN place END AS rank, gp, w,
       CASE WHEN untold = 0 THEN lost - otl_known END AS l, CASE WHEN untold = 0 THEN otl_known END AS otl, lost,
       points, CAST(points AS DOUBLE) / (2 * gp) AS points_pct, rw_told AS rw, row_told AS row, gf, ga, gf - ga AS diff,
       home_w, CASE WHEN home_untold = 0 THEN home_l END AS home_l, CASE WHEN home_untold = 0 THEN home_otl END AS home_otl,
       road_w, CASE WHEN road_untold = 0 THEN road_l END AS road_l, CASE WHEN road_untold = 0 THEN road_otl END AS road_otl,
       last10_w, CASE WHEN last10_untold = 0 THEN last10_l END AS last10_l, CASE WHEN last10_untold = 0 THEN last10_otl END AS last10_otl,
       CASE WHEN is_untold OR n_equal = 1 THEN NULL ELSE 'head_to_head' END AS tie_break, as_of
FROM ranked AS r LEFT JOIN nhl_clubs AS c ON c.abbr = r.team_abbr
