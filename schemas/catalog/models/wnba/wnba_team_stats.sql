-- Regular seasons of teams: net rating, pace and four factors of both sides, from sums of boxes.
WITH pairs AS (
    SELECT
        b.season,
        b.team_abbr,
        b.points,
        b.secs,
        b.field_goals_made AS fgm,
        b.field_goals_attempted AS fga,
        b.three_pointers_made AS tpm,
        b.free_throws_made AS ftm,
        b.free_throws_attempted AS fta,
        b.offensive_rebounds AS orb,
        b.defensive_rebounds AS drb,
        b.turnovers AS tov,
        o.points AS o_points,
        o.field_goals_made AS o_fgm,
        o.field_goals_attempted AS o_fga,
        o.three_pointers_made AS o_tpm,
        o.free_throws_made AS o_ftm,
        o.free_throws_attempted AS o_fta,
        o.offensive_rebounds AS o_orb,
        o.defensive_rebounds AS o_drb,
        o.turnovers AS o_tov
    FROM wnba_box_teams AS b JOIN wnba_box_teams AS o ON o.game_id = b.game_id AND o.team_abbr <> b.team_abbr
    WHERE
        b.phase = 'regular'
        AND b.team_abbr IN (SELECT abbr FROM wnba_clubs)
        AND o.team_abbr IN (SELECT abbr FROM wnba_clubs)
),

told AS (
    SELECT
        season,
        team_abbr,
        count(*) AS games,
        sum(points) AS points,
        sum(secs) AS secs,
        sum(fgm) AS fgm,
        sum(fga) AS fga,
        sum(tpm) AS tpm,
        sum(ftm) AS ftm,
        sum(fta) AS fta,
        sum(orb) AS orb,
        sum(drb) AS drb,
        sum(tov) AS tov,
        sum(o_points) AS o_points,
        sum(o_fgm) AS o_fgm,
        sum(o_fga) AS o_fga,
        sum(o_tpm) AS o_tpm,
        sum(o_ftm) AS o_ftm,
        sum(o_fta) AS o_fta,
        sum(o_orb) AS o_orb,
        sum(o_drb) AS o_drb,
        sum(o_tov) AS o_tov
    FROM pairs GROUP BY season, team_abbr
),

rated AS (
    SELECT
        *,
        (44 * fta + 44 * o_fta + 100 * (fga + o_fga - orb - o_orb + tov + o_tov)) / 200.0 AS possessions
    FROM told
)

SELECT
    team_abbr,
    c.team_id,
    season,
    games,
    points,
    o_points AS opponent_points,
    100.0 * (points - o_points) / possessions AS net_rating,
    100.0 * points / possessions AS offensive_rating,
    100.0 * o_points / possessions AS defensive_rating,
    possessions * 12000.0 / secs AS pace,
    (fgm + .5 * tpm) / nullif(fga, 0) AS efg_pct,
    CAST(tov AS DOUBLE) / possessions AS turnover_share,
    CAST(orb AS DOUBLE) / nullif(orb + o_drb, 0) AS offensive_rebound_share,
    CAST(ftm AS DOUBLE) / nullif(fga, 0) AS free_throw_rate,
    (o_fgm + .5 * o_tpm) / nullif(o_fga, 0) AS opponent_efg_pct,
    CAST(o_tov AS DOUBLE) / possessions AS opponent_turnover_share,
    CAST(o_orb AS DOUBLE) / nullif(o_orb + drb, 0) AS opponent_offensive_rebound_share,
    CAST(o_ftm AS DOUBLE) / nullif(o_fga, 0) AS opponent_free_throw_rate
FROM rated JOIN wnba_clubs AS c ON c.abbr = team_abbr
