-- Players by the names that a second player of a comparison has.
SELECT
    player_slug AS opponent_slug,
    player_id AS opponent_id,
    other_id AS opponent_other_id,
    name AS opponent_name,
    tour
FROM tennis_players
