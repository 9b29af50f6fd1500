-- A team of a season with its record in the regular season; null where no result is captured.
SELECT
    t.*,
    s.rank AS record_division_rank,
    s.gp AS record_gp,
    s.w AS record_w,
    s.l AS record_l,
    s.t AS record_t,
    s.pct AS record_pct,
    s.points_for AS record_points_for,
    s.points_against AS record_points_against,
    s.home_w AS record_home_w,
    s.home_l AS record_home_l,
    s.home_t AS record_home_t,
    s.road_w AS record_road_w,
    s.road_l AS record_road_l,
    s.road_t AS record_road_t,
    s.streak_result AS record_streak_result,
    s.streak_games AS record_streak_games
FROM nfl_teams AS t LEFT JOIN nfl_standings AS s USING (season, team_id)
