-- What DNA of players is made of: a row for each player and regular game that he played in, with a time on
-- court. Chances, possessions and rebounds while he was on court are shares of the teams' by his time, in
-- hundredths, since the engine sums whole numbers. Counts of teams are the sums of their players' in every game,
-- since a log of teams has turnovers of nobody besides, and only some games have one.
WITH teams AS (
    SELECT
        game_id,
        team_abbr,
        sum(secs) AS team_secs,
        sum(field_goals_made) AS field_goals_made,
        sum(field_goals_attempted) AS field_goals_attempted,
        sum(three_pointers_attempted) AS three_pointers_attempted,
        sum(offensive_rebounds) AS offensive_rebounds,
        sum(defensive_rebounds) AS defensive_rebounds,
        sum(100 * field_goals_attempted + 44 * free_throws_attempted + 100 * turnovers) AS used_e2
    FROM nba_box_players
    WHERE phase = 'regular' AND secs IS NOT NULL AND team_abbr IS NOT NULL
    GROUP BY ALL
)

SELECT
    p.player_id,
    p.player_name,
    p.season,
    'league' AS pool,
    p.league_date,
    p.secs,
    1 AS games,
    p.points,
    p.fouls,
    p.plus_minus,
    p.field_goals_attempted,
    p.three_pointers_made,
    p.three_pointers_attempted,
    p.free_throws_made,
    p.free_throws_attempted,
    p.field_goals_made - p.three_pointers_made AS two_pointers_made,
    p.field_goals_attempted - p.three_pointers_attempted AS two_pointers_attempted,
    100 * p.assists AS assists_e2,
    100 * p.offensive_rebounds AS offensive_rebounds_e2,
    100 * p.defensive_rebounds AS defensive_rebounds_e2,
    100 * p.blocks AS blocks_e2,
    100 * p.steals AS steals_e2,
    100 * p.turnovers AS turnovers_e2,
    100 * p.points AS points_e2,
    100 * p.field_goals_attempted + 44 * p.free_throws_attempted + 100 * p.turnovers AS used_e2,
    200 * p.field_goals_attempted + 88 * p.free_throws_attempted AS shot_points_e2,
    CAST(round(t.used_e2 * 5.0 * p.secs / t.team_secs) AS BIGINT) AS chances_e2,
    CAST(
        greatest(0, round(100 * t.field_goals_made * 5.0 * p.secs / t.team_secs) - 100 * p.field_goals_made) AS BIGINT
    ) AS mates_made_e2,
    CAST(round(100 * (t.offensive_rebounds + o.defensive_rebounds) * 5.0 * p.secs / t.team_secs) AS BIGINT)
        AS own_misses_e2,
    CAST(round(100 * (t.defensive_rebounds + o.offensive_rebounds) * 5.0 * p.secs / t.team_secs) AS BIGINT)
        AS their_misses_e2,
    CAST(
        round(100 * (o.field_goals_attempted - o.three_pointers_attempted) * 5.0 * p.secs / t.team_secs) AS BIGINT
    ) AS their_twos_e2,
    CAST(
        round(
            (t.used_e2 - 100 * t.offensive_rebounds + o.used_e2 - 100 * o.offensive_rebounds) / 2.0
            * 5.0 * p.secs / t.team_secs
        ) AS BIGINT
    ) AS possessions_e2
FROM nba_box_players AS p
JOIN teams AS t ON (t.game_id, t.team_abbr) = (p.game_id, p.team_abbr)
JOIN teams AS o ON o.game_id = p.game_id AND o.team_abbr <> p.team_abbr
WHERE p.phase = 'regular' AND p.secs > 0 AND p.league_date IS NOT NULL
