-- Regular seasons of players: sums of their lines, values a game and by 36 minutes, and shares of the team
-- while on court.
WITH lines AS (
    SELECT
        b.*,
        t.points AS team_points,
        t.secs AS team_secs,
        t.field_goals_attempted * 100 + t.free_throws_attempted * 44 + t.turnovers * 100 AS team_used,
        row_number() OVER (PARTITION BY b.season, b.player_id ORDER BY b.league_date DESC, b.game_id DESC) AS nth
    FROM wnba_box_players AS b JOIN wnba_box_teams AS t ON (t.game_id, t.team_abbr) = (b.game_id, b.team_abbr)
    WHERE b.phase = 'regular' AND b.has_played AND b.team_abbr IN (SELECT abbr FROM wnba_clubs)
),

sums AS (
    SELECT
        season,
        player_id,
        max(player_name) FILTER (nth = 1) AS player_name,
        max(team_abbr) FILTER (nth = 1) AS team_abbr,
        count(*) AS games,
        count(*) FILTER (is_starter) AS starts,
        sum(secs) AS secs,
        sum(points) AS points,
        sum(field_goals_made) AS field_goals_made,
        sum(field_goals_attempted) AS field_goals_attempted,
        sum(three_pointers_made) AS threes,
        sum(three_pointers_attempted) AS threes_attempted,
        sum(free_throws_made) AS free_throws_made,
        sum(free_throws_attempted) AS free_throws_attempted,
        sum(offensive_rebounds) AS offensive_rebounds,
        sum(defensive_rebounds) AS defensive_rebounds,
        sum(rebounds) AS rebounds,
        sum(assists) AS assists,
        sum(steals) AS steals,
        sum(blocks) AS blocks,
        sum(turnovers) AS turnovers,
        sum(fouls) AS fouls,
        sum(field_goals_attempted * 100 + free_throws_attempted * 44 + turnovers * 100) AS used,
        sum(CAST(round(team_used * 5.0 * secs / nullif(team_secs, 0)) AS BIGINT)) AS chances
    FROM lines GROUP BY season, player_id
)

SELECT
    player_id,
    season,
    player_name,
    team_abbr,
    games,
    starts,
    secs / 60.0 AS minutes,
    points,
    field_goals_made,
    field_goals_attempted,
    threes,
    threes_attempted,
    free_throws_made,
    free_throws_attempted,
    offensive_rebounds,
    defensive_rebounds,
    rebounds,
    assists,
    steals,
    blocks,
    turnovers,
    fouls,
    secs / 60.0 / games AS minutes_per_game,
    CAST(points AS DOUBLE) / games AS points_per_game,
    CAST(rebounds AS DOUBLE) / games AS rebounds_per_game,
    CAST(assists AS DOUBLE) / games AS assists_per_game,
    2160.0 * points / nullif(secs, 0) AS points_per_36,
    2160.0 * rebounds / nullif(secs, 0) AS rebounds_per_36,
    2160.0 * assists / nullif(secs, 0) AS assists_per_36,
    CAST(points AS DOUBLE) / nullif(2 * (field_goals_attempted + .44 * free_throws_attempted), 0) AS true_shooting,
    CAST(used AS DOUBLE) / nullif(chances, 0) AS usage_share
FROM sums
