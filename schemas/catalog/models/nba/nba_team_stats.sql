-- Regular seasons of teams: sums of their lines and of their opponents', a game and by 100 possessions, and
-- the four factors, up to the day of the table: later games, of which some alone were captured, make no
-- season.
WITH pairs AS (
    SELECT
        b.*,
        o.field_goals_made AS o_fgm,
        o.field_goals_attempted AS o_fga,
        o.three_pointers_made AS o_3pm,
        o.free_throws_made AS o_ftm,
        o.free_throws_attempted AS o_fta,
        o.offensive_rebounds AS o_orb,
        o.defensive_rebounds AS o_drb,
        o.turnovers AS o_tov,
        o.points AS o_points
    FROM nba_box_teams AS b JOIN nba_box_teams AS o ON o.game_id = b.game_id AND o.team_id <> b.team_id
    JOIN nba_standings AS s ON s.season = b.season AND s.team_id = b.team_id AND b.league_date <= s.as_of
    WHERE b.phase = 'regular'
),

sums AS (
    SELECT
        team_id,
        season,
        max(team_abbr) AS team_abbr,
        count(*) AS gp,
        sum(points) AS points,
        sum(rebounds) AS rebounds,
        sum(assists) AS assists,
        sum(steals) AS steals,
        sum(blocks) AS blocks,
        sum(turnovers) AS turnovers,
        sum(fouls) AS fouls,
        sum(field_goals_made) AS fgm,
        sum(field_goals_attempted) AS fga,
        sum(three_pointers_made) AS tpm,
        sum(three_pointers_attempted) AS tpa,
        sum(free_throws_made) AS ftm,
        sum(free_throws_attempted) AS fta,
        sum(offensive_rebounds) AS orb,
        sum(defensive_rebounds) AS drb,
        sum(o_points) AS o_points,
        sum(o_fgm) AS o_fgm,
        sum(o_fga) AS o_fga,
        sum(o_3pm) AS o_3pm,
        sum(o_ftm) AS o_ftm,
        sum(o_fta) AS o_fta,
        sum(o_orb) AS o_orb,
        sum(o_drb) AS o_drb,
        sum(o_tov) AS o_tov
    FROM pairs GROUP BY team_id, season
),

told AS (
    -- In hundredths, so that the sum does not depend on the order of games.
    SELECT
        *,
        (44 * fta + 44 * o_fta + 100 * (fga + o_fga - orb - o_orb + turnovers + o_tov)) / 200.0 AS possessions
    FROM sums
)

SELECT
    team_id,
    season,
    team_abbr,
    gp,
    possessions / gp AS possessions_per_game,
    points,
    rebounds,
    assists,
    steals,
    blocks,
    turnovers,
    fouls,
    CAST(points AS DOUBLE) / gp AS points_per_game,
    CAST(rebounds AS DOUBLE) / gp AS rebounds_per_game,
    CAST(assists AS DOUBLE) / gp AS assists_per_game,
    CAST(steals AS DOUBLE) / gp AS steals_per_game,
    CAST(blocks AS DOUBLE) / gp AS blocks_per_game,
    CAST(turnovers AS DOUBLE) / gp AS turnovers_per_game,
    CAST(fgm AS DOUBLE) / nullif(fga, 0) AS fg_pct,
    CAST(tpm AS DOUBLE) / nullif(tpa, 0) AS three_pct,
    CAST(ftm AS DOUBLE) / nullif(fta, 0) AS ft_pct,
    100.0 * points / possessions AS points_per_100,
    100.0 * o_points / possessions AS opponent_points_per_100,
    100.0 * (points - o_points) / possessions AS net_per_100,
    (fgm + .5 * tpm) / nullif(fga, 0) AS efg_pct,
    CAST(turnovers AS DOUBLE) / possessions AS turnover_share,
    CAST(orb AS DOUBLE) / nullif(orb + o_drb, 0) AS offensive_rebound_share,
    CAST(ftm AS DOUBLE) / nullif(fga, 0) AS free_throw_rate,
    CAST(o_points AS DOUBLE) / gp AS opponent_points_per_game,
    (o_fgm + .5 * o_3pm) / nullif(o_fga, 0) AS opponent_efg_pct,
    CAST(o_tov AS DOUBLE) / possessions AS opponent_turnover_share,
    CAST(o_orb AS DOUBLE) / nullif(o_orb + drb, 0) AS opponent_offensive_rebound_share,
    CAST(o_ftm AS DOUBLE) / nullif(o_fga, 0) AS opponent_free_throw_rate
FROM told
