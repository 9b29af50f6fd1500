-- What DNA of players is made of: a row for each player and match with statistics of serve, once in the pool
-- of all surfaces of the tour and once in that of the surface. A match counts from the day after the latest
-- on which it can have been played, since its own day is not stated. Carpet has no pool.
WITH sides AS (
    SELECT
        match_id,
        tour,
        season,
        level,
        surface,
        last_day AS known_on,
        winner_slug AS player_slug,
        winner_name AS player_name,
        winner_aces AS aces,
        winner_double_faults AS double_faults,
        winner_serve_points AS serve_points,
        winner_first_in
            AS first_in,
        winner_first_won AS first_won,
        winner_second_won AS second_won,
        winner_service_games AS service_games,
        winner_break_points_saved AS break_points_saved,
        winner_break_points_faced AS break_points_faced,
        loser_serve_points AS return_points,
        loser_first_in AS first_returns,
        loser_first_in - loser_first_won AS first_returns_won,
        loser_serve_points - loser_first_in AS second_returns,
        loser_serve_points - loser_first_in - loser_second_won AS second_returns_won,
        loser_service_games AS return_games,
        loser_break_points_faced - loser_break_points_saved AS breaks,
        loser_break_points_faced AS break_chances
    FROM tennis_matches WHERE has_statistics AND winner_service_games > 0 AND loser_service_games > 0
    UNION ALL
    SELECT
        match_id,
        tour,
        season,
        level,
        surface,
        last_day,
        loser_slug AS player_slug,
        loser_name AS player_name,
        loser_aces AS aces,
        loser_double_faults AS double_faults,
        loser_serve_points AS serve_points,
        loser_first_in
            AS first_in,
        loser_first_won AS first_won,
        loser_second_won AS second_won,
        loser_service_games AS service_games,
        loser_break_points_saved AS break_points_saved,
        loser_break_points_faced AS break_points_faced,
        winner_serve_points AS return_points,
        winner_first_in AS first_returns,
        winner_first_in - winner_first_won AS first_returns_won,
        winner_serve_points - winner_first_in AS second_returns,
        winner_serve_points - winner_first_in - winner_second_won AS second_returns_won,
        winner_service_games AS return_games,
        winner_break_points_faced - winner_break_points_saved AS breaks,
        winner_break_points_faced AS break_chances
    FROM tennis_matches WHERE has_statistics AND winner_service_games > 0 AND loser_service_games > 0
),

pooled AS (
    SELECT
        *,
        'all' AS pool_surface
    FROM sides
    UNION ALL
    SELECT
        *,
        surface
    FROM sides WHERE surface IN ('hard', 'clay', 'grass')
)

SELECT
    player_slug || '/' || pool_surface AS subject_key,
    player_slug,
    player_name,
    tour,
    pool_surface AS surface,
    tour || '_' || pool_surface AS pool,
    season,
    match_id,
    known_on,
    aces,
    double_faults,
    serve_points,
    first_in,
    first_won,
    serve_points - first_in AS second_serves,
    second_won,
    first_won + second_won AS serve_points_won,
    service_games,
    greatest(service_games - (break_points_faced - break_points_saved), 0) AS holds,
    break_points_saved,
    break_points_faced,
    return_points,
    first_returns,
    first_returns_won,
    second_returns,
    second_returns_won,
    first_returns_won + second_returns_won
        AS return_points_won,
    return_games,
    least(breaks, return_games) AS breaks,
    breaks
        AS
        converted_chances,
    break_chances
FROM pooled
