-- Players of `league-player-matches` by season. `player_ref` is of a season, `player_code` stays.
SELECT
    left(file_stem, 7) AS season,
    player_code,
    player_ref,
    trim(concat_ws(' ', first_name, second_name)) AS name,
    short_name,
    team_code,
    nullif(lower(position), 'unknown') AS position
FROM soccer_league_player_matches_players
QUALIFY row_number() OVER (PARTITION BY left(file_stem, 7), player_ref ORDER BY file_stem DESC, player_code) = 1
