-- A team in a game: its view of every game.
WITH sides AS (
    SELECT
        game_id,
        market_id,
        feed_id,
        season,
        phase,
        phase_order,
        week,
        league_date,
        starts_at,
        status,
        true AS is_home,
        home_id AS team_id,
        home_abbr AS team_abbr,
        home_score AS points_for,
        away_id AS opponent_id,
        away_abbr AS opponent_abbr,
        away_name AS opponent_name,
        away_score AS points_against,
        venue,
        is_neutral
    FROM nfl_games
    UNION ALL
    SELECT
        game_id,
        market_id,
        feed_id,
        season,
        phase,
        phase_order,
        week,
        league_date,
        starts_at,
        status,
        false,
        away_id,
        away_abbr,
        away_score,
        home_id,
        home_abbr,
        home_name,
        home_score,
        venue,
        is_neutral
    FROM nfl_games
)

SELECT
    s.*,
    c.other_abbr,
    CASE
        WHEN (status IS DISTINCT FROM 'final') THEN NULL WHEN points_for > points_against THEN 'W'
        WHEN points_for < points_against THEN 'L'
        ELSE 'T'
    END AS result
FROM sides AS s JOIN nfl_clubs AS c USING (team_id)
