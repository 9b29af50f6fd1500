-- Matches of which `league-player-matches` has statistics from before the end: another score than `leagues`,
-- and fewer shots than its own players have. Its lines of players are whole; the statistics are not those of
-- the match.
WITH shots AS (
    SELECT
        source_match_id,
        sum(total_shots) AS of_players
    FROM soccer_league_player_matches_lines
    GROUP BY source_match_id
)

SELECT
    b.match_id,
    b.feed_id,
    b.competition,
    b.season
FROM soccer_match_base AS b
JOIN soccer_league_player_matches_matches AS m ON m.source_match_id = b.feed_id
JOIN shots AS s ON s.source_match_id = b.feed_id
WHERE
    (b.home_leagues <> b.home_feed OR b.away_leagues <> b.away_feed)
    AND s.of_players > m.home_total_shots + m.away_total_shots
