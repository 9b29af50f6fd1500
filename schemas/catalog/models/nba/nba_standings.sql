-- Tables of regular seasons by conference. Equal teams are told apart by games among them, by the lead of a
-- division, by games within the division if it is one, and by games within the conference; what is equal
-- after that has one rank. A table ends before the first day of which fewer than half of the results are
-- known: later games, of which some alone were captured, make none.
WITH days AS (
    SELECT
        season,
        league_date
    FROM nba_games WHERE phase = 'regular' AND league_date IS NOT NULL
    GROUP BY season, league_date HAVING 2 * count(*) FILTER (status = 'final') < count(*)
),

gaps AS (
    SELECT
        season,
        min(league_date) AS first_gap
    FROM days GROUP BY season
),

played AS (
    SELECT
        t.*,
        c.conference,
        c.division,
        o.conference AS opponent_conference,
        o.division AS opponent_division,
        CAST(t.result = 'W' AS INTEGER) AS won,
        row_number() OVER (PARTITION BY t.season, t.team_id ORDER BY t.league_date DESC, t.game_id DESC) AS nth
    FROM nba_team_games AS t
    JOIN nba_clubs AS c USING (team_id) JOIN nba_clubs AS o ON o.team_id = t.opponent_id
    LEFT JOIN gaps AS d ON d.season = t.season
    WHERE t.phase = 'regular' AND t.result IS NOT NULL AND (d.first_gap IS NULL OR t.league_date < d.first_gap)
),

whole AS (
    -- A season of which a few games alone are listed has no table; one that is listed has it from the first
    -- night on.
    SELECT season
    FROM nba_games
    WHERE phase = 'regular'
    GROUP BY season
    HAVING count(DISTINCT home_id) = 30 AND count(*) >= 150
),

sums AS (
    SELECT
        season,
        team_id,
        conference,
        division,
        max(max(league_date)) OVER (PARTITION BY season) AS last_game_on,
        count(*) AS gp,
        sum(won) AS w,
        count(*) - sum(won) AS l,
        count(*) FILTER (is_home AND won = 1) AS home_w,
        count(*) FILTER (is_home AND won = 0) AS home_l,
        count(*) FILTER (NOT is_home AND won = 1) AS road_w,
        count(*) FILTER (NOT is_home AND won = 0) AS road_l,
        sum(won) FILTER (nth <= 10) AS last10_w,
        count(*) FILTER (nth <= 10) - sum(won) FILTER (nth <= 10) AS last10_l,
        coalesce(sum(won) FILTER (opponent_division = division), 0) AS division_w,
        count(*) FILTER (opponent_division = division) AS division_gp,
        coalesce(sum(won) FILTER (opponent_conference = conference), 0) AS conference_w,
        count(*) FILTER (opponent_conference = conference) AS conference_gp,
        arg_min(result, nth) AS last_result,
        min(nth) FILTER (result = 'W') AS first_win,
        min(nth) FILTER (result = 'L') AS first_loss,
        sum(points_for) AS points_for,
        sum(points_against) AS points_against
    FROM played WHERE season IN (SELECT season FROM whole) GROUP BY season, team_id, conference, division
),

shares AS (
    SELECT
        *,
        CAST(w AS DOUBLE) / gp AS pct,
        CAST(division_w AS DOUBLE) / nullif(division_gp, 0) AS division_pct,
        CAST(conference_w AS DOUBLE) / nullif(conference_gp, 0) AS conference_pct
    FROM sums
),

among AS (
    SELECT
        s.season,
        s.team_id,
        CAST(sum(p.won) AS DOUBLE) / count(*) AS among_pct,
        CAST(sum(p.won) FILTER (e.division = s.division) AS DOUBLE)
        / nullif(count(*) FILTER (e.division = s.division), 0)
            AS division_among_pct
    FROM shares AS s JOIN played AS p USING (season, team_id)
    JOIN
        shares AS e
        ON e.season = s.season AND e.team_id = p.opponent_id AND e.conference = s.conference AND e.pct = s.pct
    GROUP BY s.season, s.team_id
),

led AS (
    SELECT
        s.*,
        a.among_pct,
        rank() OVER (
            PARTITION BY
                s.season, s.division ORDER BY
                s.pct DESC, a.division_among_pct DESC NULLS LAST,
                s.division_pct DESC, s.conference_pct DESC
        ) AS division_rank,
        count(DISTINCT s.division) OVER (PARTITION BY s.season, s.conference, s.pct) AS n_divisions,
        count(*) OVER (PARTITION BY s.season, s.conference, s.pct) AS n_equal
    FROM shares AS s LEFT JOIN among AS a USING (season, team_id)
),

ordered AS (
    -- Of two, games among them count first; of more, the lead of a division.
    SELECT
        *,
        CASE WHEN n_equal = 2 THEN coalesce(among_pct, .5) ELSE CAST(division_rank = 1 AS INTEGER) END AS first_rule,
        CASE WHEN n_equal = 2 THEN CAST(division_rank = 1 AS INTEGER) ELSE coalesce(among_pct, .5) END AS second_rule,
        CASE WHEN n_divisions = 1 THEN division_pct END AS third_rule
    FROM led
),

ranked AS (
    SELECT
        *,
        rank() OVER (
            PARTITION BY
                season, conference ORDER BY
                pct DESC, first_rule DESC, second_rule DESC,
                third_rule DESC NULLS LAST, conference_pct DESC
        ) AS rank,
        count(*) OVER (PARTITION BY season, conference, pct, first_rule) AS n_first,
        count(*) OVER (PARTITION BY season, conference, pct, first_rule, second_rule) AS n_second,
        count(*) OVER (PARTITION BY season, conference, pct, first_rule, second_rule, third_rule) AS n_third,
        count(*)
            OVER (PARTITION BY season, conference, pct, first_rule, second_rule, third_rule, conference_pct)
            AS n_fourth,
        first_value(w - l) OVER (PARTITION BY season, conference ORDER BY pct DESC) AS lead
    FROM ordered
)

SELECT
    r.season,
    r.team_id,
    c.abbr AS team_abbr,
    c.city || ' ' || c.name AS team_name,
    r.conference,
    r.rank,
    r.division,
    r.division_rank,
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
    r.last_result AS streak_result,
    CASE r.last_result WHEN 'W' THEN coalesce(r.first_loss - 1, r.gp) ELSE coalesce(r.first_win - 1, r.gp) END
        AS streak_games,
    r.division_w,
    r.division_gp - r.division_w AS division_l,
    r.conference_w,
    r.conference_gp - r.conference_w AS conference_l,
    r.points_for,
    r.points_against,
    CASE
        WHEN r.n_equal = 1 THEN NULL
        WHEN r.n_first = 1 THEN CASE WHEN r.n_equal = 2 THEN 'head_to_head' ELSE 'division_leader' END
        WHEN r.n_second = 1 THEN CASE WHEN r.n_equal = 2 THEN 'division_leader' ELSE 'head_to_head' END
        WHEN r.n_third = 1 THEN 'division_record' WHEN r.n_fourth = 1 THEN 'conference_record' ELSE 'not_resolved' END
        AS tie_break,
    r.last_game_on AS as_of,
    (
        SELECT count(*) FROM nba_team_games AS m
        WHERE
            (m.season, m.team_id, m.phase) = (r.season, r.team_id, 'regular') AND m.result IS NULL
            AND m.league_date <= r.last_game_on
    ) AS results_missing,
    nullif(
        trim(o.clinch
        ), ''
    ) AS clinch,
    o.rank AS official_rank,
    o.w AS official_w,
    o.l AS official_l,
    CAST(o.captured_at AS DATE) AS official_captured_on
FROM ranked AS r JOIN nba_clubs AS c USING (team_id)
LEFT JOIN nba_stats_recorded_standings AS o
    ON
        o.team_id = r.team_id
        AND '20' || substr(o.season_code, 4, 2) = substr(r.season, 1, 4)
        AND left(o.season_code, 1) = '2'
