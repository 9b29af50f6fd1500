-- Regular seasons of teams: results against all, in the division and in the conference, and strength of
-- victory and of schedule: the shares won of the teams that it beat and that it met. A tie counts half. A
-- season of which a team has no result has no table.
WITH played AS (
    SELECT
        t.*,
        c.conference,
        c.division,
        o.conference AS opponent_conference,
        o.division AS opponent_division,
        CASE t.result WHEN 'W' THEN 2 WHEN 'T' THEN 1 ELSE 0 END AS half_wins,
        row_number() OVER (PARTITION BY t.season, t.team_id ORDER BY t.week DESC, t.game_id DESC) AS nth
    FROM nfl_team_games AS t JOIN nfl_clubs AS c USING (team_id) JOIN nfl_clubs AS o ON o.team_id = t.opponent_id
    WHERE t.phase = 'regular' AND t.result IS NOT NULL AND t.season >= '2002'
),

whole AS (
    SELECT season FROM played GROUP BY season HAVING count(DISTINCT team_id) = 32
),

sums AS (
    SELECT
        season,
        team_id,
        conference,
        division,
        count(*) AS gp,
        count(*) FILTER (result = 'W') AS w,
        count(*) FILTER (result = 'L') AS l,
        count(*) FILTER (result = 'T') AS t,
        sum(half_wins) AS half_wins,
        sum(points_for) AS points_for,
        sum(points_against) AS points_against,
        count(*) FILTER (is_home AND result = 'W') AS home_w,
        count(*) FILTER (is_home AND result = 'L') AS home_l,
        count(*) FILTER (is_home AND result = 'T') AS home_t,
        count(*) FILTER (NOT is_home AND result = 'W') AS road_w,
        count(*) FILTER (NOT is_home AND result = 'L') AS road_l,
        count(*) FILTER (NOT is_home AND result = 'T') AS road_t,
        count(*) FILTER (opponent_conference = conference AND result = 'W') AS conference_w,
        count(*) FILTER (opponent_conference = conference AND result = 'L') AS conference_l,
        count(*) FILTER (opponent_conference = conference AND result = 'T') AS conference_t,
        count(*) FILTER (opponent_conference = conference AND opponent_division = division AND result = 'W')
            AS division_w,
        count(*) FILTER (opponent_conference = conference AND opponent_division = division AND result = 'L')
            AS division_l,
        count(*) FILTER (opponent_conference = conference AND opponent_division = division AND result = 'T')
            AS division_t,
        max(result) FILTER (nth = 1) AS last_result,
        max(league_date) AS last_game_on,
        max(week) AS last_week,
        min(nth) FILTER (result <> 'W') AS first_not_won,
        min(nth) FILTER (result <> 'L') AS first_not_lost,
        min(nth) FILTER (result <> 'T') AS first_not_tied
    FROM played WHERE season IN (SELECT season FROM whole) GROUP BY season, team_id, conference, division
),

lacking AS (
    SELECT
        g.season,
        g.team_id,
        count(*) AS results_missing
    FROM nfl_team_games AS g
    JOIN (SELECT
        season,
        max(last_week) AS last_week
    FROM sums GROUP BY season) AS s USING (season)
    WHERE g.phase = 'regular' AND g.result IS NULL AND g.week <= s.last_week GROUP BY g.season, g.team_id
),

strengths AS (
    SELECT
        p.season,
        p.team_id,
        sum(o.half_wins) AS met_half_wins,
        sum(o.gp) AS met_gp,
        coalesce(sum(o.half_wins) FILTER (p.result = 'W'), 0) AS beaten_half_wins,
        sum(o.gp) FILTER (p.result = 'W') AS beaten_gp
    FROM played AS p JOIN sums AS o ON o.season = p.season AND o.team_id = p.opponent_id GROUP BY p.season, p.team_id
)

SELECT
    s.*,
    CAST(s.half_wins AS DOUBLE) / (2 * s.gp) AS pct,
    CAST(2 * s.division_w + s.division_t AS DOUBLE)
    / nullif(2 * (s.division_w + s.division_l + s.division_t), 0) AS division_pct,
    CAST(2 * s.conference_w + s.conference_t AS DOUBLE)
    / nullif(2 * (s.conference_w + s.conference_l + s.conference_t), 0) AS conference_pct,
    CAST(x.beaten_half_wins AS DOUBLE) / (2 * nullif(x.beaten_gp, 0)) AS strength_of_victory,
    CAST(x.met_half_wins AS DOUBLE) / (2 * x.met_gp) AS strength_of_schedule,
    CASE s.last_result
        WHEN 'W' THEN coalesce(s.first_not_won - 1, s.gp) WHEN 'L' THEN coalesce(s.first_not_lost - 1, s.gp)
        ELSE coalesce(s.first_not_tied - 1, s.gp)
    END AS streak_games,
    coalesce(m.results_missing, 0) AS results_missing
FROM sums AS s JOIN strengths AS x USING (season, team_id) LEFT JOIN lacking AS m USING (season, team_id)
