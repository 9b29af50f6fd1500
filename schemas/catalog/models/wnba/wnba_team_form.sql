-- A club before each of its league games: sums of its boxes and of its opponents' in the season up to the day
-- before.
WITH lines AS (
    SELECT
        b.game_id,
        b.team_abbr,
        b.season,
        b.league_date,
        b.field_goals_made AS fgm,
        b.field_goals_attempted AS fga,
        b.three_pointers_made AS tpm,
        b.free_throws_made AS ftm,
        b.free_throws_attempted AS fta,
        b.offensive_rebounds AS orb,
        b.defensive_rebounds AS drb,
        b.turnovers AS tov,
        o.field_goals_made AS o_fgm,
        o.field_goals_attempted AS o_fga,
        o.three_pointers_made AS o_tpm,
        o.free_throws_made AS o_ftm,
        o.free_throws_attempted AS o_fta,
        o.offensive_rebounds AS o_orb,
        o.defensive_rebounds AS o_drb,
        o.turnovers AS o_tov
    FROM wnba_box_teams AS b JOIN wnba_box_teams AS o ON o.game_id = b.game_id AND o.team_abbr <> b.team_abbr
    WHERE b.phase = 'regular'
),

upcoming AS (
    SELECT
        t.game_id,
        t.team_abbr,
        t.season,
        t.league_date
    FROM wnba_team_games AS t
    WHERE t.phase IN ('regular', 'playoffs')
),

sums AS (
    SELECT
        u.game_id,
        u.team_abbr,
        u.season,
        count(l.game_id) AS games,
        sum(fgm) AS fgm,
        sum(fga) AS fga,
        sum(tpm) AS tpm,
        sum(ftm) AS ftm,
        sum(fta) AS fta,
        sum(orb) AS orb,
        sum(drb) AS drb,
        sum(tov) AS tov,
        sum(o_fgm) AS o_fgm,
        sum(o_fga) AS o_fga,
        sum(o_tpm) AS o_tpm,
        sum(o_ftm) AS o_ftm,
        sum(o_fta) AS o_fta,
        sum(o_orb) AS o_orb,
        sum(o_drb) AS o_drb,
        sum(o_tov) AS o_tov
    FROM upcoming AS u
    JOIN lines AS l ON (l.team_abbr, l.season) = (u.team_abbr, u.season) AND l.league_date < u.league_date
    GROUP BY u.game_id, u.team_abbr, u.season
)

SELECT
    game_id,
    team_abbr,
    season,
    games,
    (fgm + .5 * tpm) / nullif(fga, 0) AS efg_pct,
    tov
    / nullif((44 * fta + 44 * o_fta + 100 * (fga + o_fga - orb - o_orb + tov + o_tov)) / 200.0, 0) AS turnover_share,
    CAST(orb AS DOUBLE) / nullif(orb + o_drb, 0) AS offensive_rebound_share,
    CAST(ftm AS DOUBLE) / nullif(fga, 0) AS free_throw_rate,
    (o_fgm + .5 * o_tpm) / nullif(o_fga, 0) AS allowed_efg_pct,
    o_tov
    / nullif((44 * fta + 44 * o_fta + 100 * (fga + o_fga - orb - o_orb + tov + o_tov)) / 200.0, 0)
        AS allowed_turnover_share,
    CAST(o_orb AS DOUBLE) / nullif(o_orb + drb, 0) AS allowed_offensive_rebound_share,
    CAST(o_ftm AS DOUBLE) / nullif(o_fga, 0) AS allowed_free_throw_rate
FROM sums
