-- Players by rank in each statistic a game, of seasons that are captured for more than one player. Who played
-- in less than 70 % of his team's games has no rank.
WITH games AS (
    SELECT
        season,
        team_id,
        gp
    FROM nba_standings
),

whole AS (
    SELECT season FROM nba_player_seasons GROUP BY season HAVING count(*) >= 100
),

lines AS (
    SELECT
        p.*,
        g.gp AS team_gp,
        10 * p.gp >= 7 * g.gp AS qualified
    FROM nba_player_seasons AS p JOIN games AS g USING (season, team_id) WHERE p.season IN (SELECT season FROM whole)
),

long AS (
    UNPIVOT (SELECT
        season,
        player_id,
        player_name,
        team_id,
        team_abbr,
        gp,
        team_gp,
        qualified,
        CAST(points AS DOUBLE) AS points,
        CAST(rebounds AS DOUBLE) AS rebounds,
        CAST(offensive_rebounds AS DOUBLE) AS offensive_rebounds,
        CAST(defensive_rebounds AS DOUBLE) AS defensive_rebounds,
        CAST(assists AS DOUBLE) AS assists,
        CAST(steals AS DOUBLE) AS steals,
        CAST(blocks AS DOUBLE) AS blocks,
        CAST(turnovers AS DOUBLE) AS turnovers,
        minutes,
        CAST(field_goals_made AS DOUBLE) AS field_goals_made,
        CAST(three_pointers_made AS DOUBLE) AS three_pointers_made,
        CAST(free_throws_made AS DOUBLE) AS free_throws_made
    FROM lines)
    ON points,
    rebounds,
    offensive_rebounds,
    defensive_rebounds,
    assists,
    steals,
    blocks,
    turnovers,
    minutes,
    field_goals_made,
    three_pointers_made, free_throws_made INTO NAME stat VALUE total
)

SELECT
    season,
    stat,
    player_id,
    player_name,
    team_id,
    team_abbr,
    total / gp AS value,
    total,
    gp,
    team_gp,
    qualified,
    CASE WHEN qualified THEN rank() OVER (PARTITION BY season, stat, qualified ORDER BY total / gp DESC) END AS rank
FROM long
