-- Winning, losing and saving pitchers of games, as stated.
WITH told AS (
    SELECT
        g.game_ref AS game_id,
        w.player_id AS winner_id,
        w.name AS winner_name,
        l.player_id AS loser_id,
        l.name AS loser_name,
        s.player_id AS save_id,
        s.name AS save_name
    FROM mlb_retrosheet_games AS g LEFT JOIN mlb_player_refs AS w ON w.retro_id = g.winner_id
    LEFT JOIN mlb_player_refs AS l ON l.retro_id = g.loser_id LEFT JOIN mlb_player_refs AS s ON s.retro_id = g.save_id
    UNION ALL
    SELECT
        game_ref,
        winner_ref,
        winner_name,
        loser_ref,
        loser_name,
        save_ref,
        save_name
    FROM mlb_statsapi_recorded_feed_games
    UNION ALL
    SELECT
        game_ref,
        winner_ref,
        winner_name,
        loser_ref,
        loser_name,
        save_ref,
        save_name
    FROM mlb_statsapi_mock_2022_feed_games
)

SELECT * FROM told WHERE winner_id IS NOT NULL OR loser_id IS NOT NULL
