-- Goals in order, with the score after each: from recorded pages, else from shots on goal, which do not tell
-- who scored.
WITH told AS (
    SELECT
        game_id,
        row_number() OVER (PARTITION BY game_id ORDER BY captured_at DESC, file, line) AS seq,
        period,
        clock_secs,
        team_abbr,
        player_id,
        player_name,
        assist1_id,
        assist1_name,
        assist2_id,
        assist2_name,
        strength,
        shot_type,
        home_goals AS home_score,
        away_goals AS away_score
    FROM nhl_api_web_recorded_goals WHERE period_type <> 'SO'
)

SELECT * FROM told
UNION ALL BY NAME
SELECT
    s.game_id,
    s.seq,
    s.period,
    s.team_abbr,
    s.shot_type,
    s.goalie_id,
    s.goalie_name,
    count(*) FILTER (s.team_abbr = g.home_abbr) OVER so_far AS home_score,
    count(*)
    FILTER (s.team_abbr = g.away_abbr) OVER so_far AS away_score
FROM nhl_shots AS s JOIN nhl_games AS g USING (game_id) WHERE s.is_goal AND s.game_id NOT IN (SELECT game_id FROM told)
WINDOW so_far AS (PARTITION BY s.game_id ORDER BY s.seq ROWS UNBOUNDED PRECEDING)
