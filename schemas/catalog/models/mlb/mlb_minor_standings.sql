-- Standings of minor leagues from finals of the regular season, in the league and in the division that the
-- newest list states. Equal shares are told apart by the games among the clubs that are equal.
WITH sides AS (
    SELECT
        game_id,
        season,
        league_date,
        home_id AS team_id,
        away_id AS opponent_id,
        home_score > away_score AS has_won,
        home_score AS scored,
        away_score AS conceded
    FROM mlb_minor_games WHERE phase = 'regular' AND status = 'final' AND home_score <> away_score
    UNION ALL
    SELECT
        game_id,
        season,
        league_date,
        away_id,
        home_id,
        away_score > home_score,
        away_score,
        home_score
    FROM mlb_minor_games WHERE phase = 'regular' AND status = 'final' AND home_score <> away_score
),

records AS (
    SELECT
        season,
        team_id,
        count(*) FILTER (has_won) AS w,
        count(*) FILTER (NOT has_won) AS l,
        sum(scored) AS runs_for,
        sum(conceded) AS runs_against,
        max(league_date) AS as_of
    FROM sides GROUP BY season, team_id
),

groups AS (
    SELECT
        season,
        team_id,
        name,
        level,
        'league' AS type,
        league_name AS group_name
    FROM mlb_minor_teams
    WHERE league_name IS NOT NULL
    UNION ALL
    SELECT
        season,
        team_id,
        name,
        level,
        'division',
        division_name
    FROM mlb_minor_teams
    WHERE division_name IS NOT NULL
),

rated AS (
    SELECT
        g.*,
        r.w,
        r.l,
        CAST(r.w AS DOUBLE) / (r.w + r.l) AS pct,
        r.runs_for,
        r.runs_against,
        r.as_of
    FROM groups AS g JOIN records AS r USING (season, team_id)
),

among AS (
    SELECT
        a.season,
        a.type,
        a.group_name,
        a.team_id,
        count(*) FILTER (s.has_won) AS tie_w,
        count(*) AS tie_games
    FROM rated AS a
    JOIN
        rated AS b
        ON
            (b.season, b.type, b.group_name) = (a.season, a.type, a.group_name)
            AND b.pct = a.pct
            AND b.team_id <> a.team_id
    JOIN sides AS s ON (s.season, s.team_id, s.opponent_id) = (a.season, a.team_id, b.team_id)
    GROUP BY a.season, a.type, a.group_name, a.team_id
),

ordered AS (
    SELECT
        r.*,
        CAST(m.tie_w AS DOUBLE) / m.tie_games AS tie_pct,
        count(*) OVER (PARTITION BY r.season, r.type, r.group_name, r.pct) AS equals,
        max(r.w - r.l) OVER (PARTITION BY r.season, r.type, r.group_name) AS best
    FROM rated AS r LEFT JOIN among AS m USING (season, type, group_name, team_id)
)

SELECT
    season,
    type,
    group_name,
    team_id,
    name AS team_name,
    level,
    CAST(rank() OVER (PARTITION BY season, type, group_name ORDER BY pct DESC, tie_pct DESC NULLS LAST) AS INTEGER)
        AS rank,
    w,
    l,
    pct,
    (best - (w - l)) / 2.0 AS games_behind,
    runs_for,
    runs_against,
    CASE
        WHEN equals = 1 THEN 'none' WHEN
            count(*) OVER (PARTITION BY season, type, group_name, pct, tie_pct) = 1 AND tie_pct IS NOT NULL
            THEN 'head_to_head'
        ELSE 'not_resolved'
    END AS tie_break,
    as_of,
    false AS is_complete
FROM ordered
