-- What DNA of players is made of: a row for each player and regular game that she played in. Chances,
-- possessions and rebounds while she was on court are shares of the teams' by her time, in hundredths, since
-- the engine sums whole numbers.
WITH teams AS (
    SELECT
        b.game_id,
        b.team_abbr,
        b.secs AS team_secs,
        b.field_goals_made,
        b.field_goals_attempted,
        b.three_pointers_attempted,
        b.offensive_rebounds,
        b.defensive_rebounds,
        100 * b.field_goals_attempted + 44 * b.free_throws_attempted + 100 * b.turnovers AS used_e2,
        CAST(round(100 * b.possessions) AS BIGINT) AS possessions_e2
    FROM wnba_box_teams AS b
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
    p.assists,
    p.offensive_rebounds,
    p.defensive_rebounds,
    p.steals,
    p.blocks,
    p.turnovers,
    p.fouls,
    p.field_goals_attempted,
    p.three_pointers_made,
    p.three_pointers_attempted,
    p.free_throws_made,
    100 * p.assists AS assists_e2,
    100 * p.offensive_rebounds AS offensive_rebounds_e2,
    100 * p.defensive_rebounds AS defensive_rebounds_e2,
    100 * p.blocks AS blocks_e2,
    100 * p.steals AS steals_e2,
    100 * p.turnovers AS turnovers_e2,
    100 * p.points AS points_e2,
    100 * p.field_goals_attempted + 44 * p.free_throws_attempted + 100 * p.turnovers AS used_e2,
    200 * p.field_goals_attempted + 88 * p.free_throws_attempted AS shot_points_e2,
    100 * p.field_goals_attempted AS shots_e2,
    100 * p.field_goals_made + 50 * p.three_pointers_made AS effective_made_e2,
    100 * p.free_throws_made AS free_throws_made_e2,
    CAST(round(100 * t.field_goals_attempted * 5.0 * p.secs / nullif(t.team_secs, 0)) AS BIGINT) AS team_shots_e2,
    CAST(round(t.used_e2 * 5.0 * p.secs / nullif(t.team_secs, 0)) AS BIGINT) AS chances_e2,
    CAST(
        greatest(
            0, round(100 * t.field_goals_made * 5.0 * p.secs / nullif(t.team_secs, 0)) - 100 * p.field_goals_made
        ) AS BIGINT
    ) AS mates_made_e2,
    CAST(round(100 * (t.offensive_rebounds + o.defensive_rebounds) * 5.0 * p.secs / nullif(t.team_secs, 0)) AS BIGINT)
        AS own_misses_e2,
    CAST(round(100 * (t.defensive_rebounds + o.offensive_rebounds) * 5.0 * p.secs / nullif(t.team_secs, 0)) AS BIGINT)
        AS their_misses_e2,
    CAST(
        round(
            100 * (o.field_goals_attempted - o.three_pointers_attempted) * 5.0 * p.secs / nullif(t.team_secs, 0)
        ) AS BIGINT
    ) AS their_twos_e2,
    CAST(round(t.possessions_e2 * 5.0 * p.secs / nullif(t.team_secs, 0)) AS BIGINT) AS possessions_e2
FROM wnba_box_players AS p
JOIN teams AS t ON (t.game_id, t.team_abbr) = (p.game_id, p.team_abbr)
JOIN teams AS o ON o.game_id = p.game_id AND o.team_abbr <> p.team_abbr
WHERE
    p.phase = 'regular'
    AND p.has_played
    AND p.team_abbr IN (SELECT abbr FROM wnba_clubs)
    AND t.possessions_e2 IS NOT NULL
