-- Tables of regular seasons by division. Equal clubs of a division are told apart by games among them, by
-- games within the division and by games within the league; what is equal after that has one rank. A season
-- of which some games alone are listed has no table, and one that is listed has it from the first day on. It
-- ends before the first day of which fewer than half of the results are known: later games, of which some
-- alone were captured, make none.
WITH days AS (
    SELECT
        season,
        league_date
    FROM mlb_games
    WHERE phase = 'regular' AND status IN ('final', 'in_progress', 'scheduled')
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
        c.league,
        c.division,
        o.league AS opponent_league,
        o.division AS opponent_division,
        CAST(t.result = 'W' AS INTEGER) AS won,
        row_number() OVER (
            PARTITION BY
                t.season, t.team_id ORDER BY
                t.league_date DESC, t.game_number DESC NULLS LAST,
                t.game_id DESC
        ) AS nth
    FROM mlb_team_games AS t JOIN mlb_clubs AS c USING (team_id) JOIN mlb_clubs AS o ON o.team_id = t.opponent_id
    LEFT JOIN gaps AS d ON d.season = t.season
    WHERE t.phase = 'regular' AND t.result IS NOT NULL AND (d.first_gap IS NULL OR t.league_date < d.first_gap)
),

whole AS (
    SELECT season
    FROM mlb_games
    WHERE phase = 'regular'
    GROUP BY season
    HAVING count(DISTINCT home_id) = 30 AND count(*) >= 450
),

sums AS (
    SELECT
        season,
        team_id,
        league,
        division,
        count(*) AS gp,
        sum(won) AS w,
        count(*) - sum(won) AS l,
        count(*) FILTER (is_home AND won = 1) AS home_w,
        count(*) FILTER (is_home AND won = 0) AS home_l,
        count(*) FILTER (NOT is_home AND won = 1) AS away_w,
        count(*) FILTER (NOT is_home AND won = 0) AS away_l,
        sum(won) FILTER (nth <= 10) AS last10_w,
        count(*) FILTER (nth <= 10) - sum(won) FILTER (nth <= 10) AS last10_l,
        count(*) FILTER (opponent_division = division AND won = 1) AS division_w,
        count(*) FILTER (opponent_division = division) AS division_gp,
        count(*) FILTER (opponent_league = league AND won = 1) AS league_w,
        count(*) FILTER (opponent_league = league) AS league_gp,
        arg_min(result, nth) AS last_result,
        min(nth) FILTER (result = 'W') AS first_win,
        min(nth) FILTER (result = 'L') AS first_loss,
        sum(runs_for) AS runs_for,
        sum(runs_against) AS runs_against,
        max(league_date) AS last_game_on
    FROM played WHERE season IN (SELECT season FROM whole) GROUP BY season, team_id, league, division
),

shares AS (
    SELECT
        *,
        CAST(w AS DOUBLE) / gp AS pct,
        CAST(division_w AS DOUBLE) / nullif(division_gp, 0) AS division_pct,
        CAST(league_w AS DOUBLE) / nullif(league_gp, 0) AS league_pct
    FROM sums
),

among AS (
    SELECT
        s.season,
        s.team_id,
        CAST(sum(p.won) AS DOUBLE) / count(*) AS among_pct
    FROM shares AS s JOIN played AS p USING (season, team_id)
    JOIN shares AS e ON e.season = s.season AND e.team_id = p.opponent_id AND e.division = s.division AND e.pct = s.pct
    GROUP BY s.season, s.team_id
),

ranked AS (
    SELECT
        s.*,
        rank() OVER (
            PARTITION BY
                s.season, s.division ORDER BY
                s.pct DESC, a.among_pct DESC NULLS LAST,
                s.division_pct DESC NULLS LAST, s.league_pct DESC NULLS LAST
        ) AS rank,
        count(*) OVER (PARTITION BY s.season, s.division, s.pct) AS n_equal,
        count(*) OVER (PARTITION BY s.season, s.division, s.pct, a.among_pct) AS n_among,
        count(*) OVER (PARTITION BY s.season, s.division, s.pct, a.among_pct, s.division_pct) AS n_division,
        count(*) OVER (PARTITION BY s.season, s.division, s.pct, a.among_pct, s.division_pct, s.league_pct) AS n_league,
        max(s.w - s.l) OVER (PARTITION BY s.season, s.division) AS lead
    FROM shares AS s LEFT JOIN among AS a USING (season, team_id)
)

SELECT
    r.season,
    r.team_id,
    t.abbr AS team_abbr,
    t.name AS team_name,
    r.league,
    r.division,
    r.rank,
    r.gp,
    r.w,
    r.l,
    r.pct,
    CAST(r.lead - (r.w - r.l) AS DOUBLE) / 2 AS games_behind,
    r.home_w,
    r.home_l,
    r.away_w,
    r.away_l,
    r.last10_w,
    r.last10_l,
    r.last_result AS streak_result,
    CASE r.last_result
        WHEN 'W' THEN coalesce(r.first_loss - 1, r.gp)
        ELSE coalesce(r.first_win - 1, r.gp)
    END AS streak_games,
    r.division_w,
    r.division_gp - r.division_w AS division_l,
    r.league_w,
    r.league_gp - r.league_w AS league_l,
    r.runs_for,
    r.runs_against,
    CASE
        WHEN r.n_equal = 1 THEN NULL WHEN r.n_among = 1 THEN 'head_to_head' WHEN r.n_division = 1 THEN 'division_record'
        WHEN r.n_league = 1 THEN 'league_record' ELSE 'not_resolved'
    END AS tie_break,
    r.last_game_on AS as_of,
    o.division_rank AS told_rank,
    o.wins AS told_w,
    o.losses AS told_l
FROM ranked AS r JOIN mlb_teams AS t USING (season, team_id)
LEFT JOIN mlb_club_notes_2025_standings AS o ON (o.season, o.team_ref) = (r.season, r.team_id)
