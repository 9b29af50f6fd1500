-- Matches of `league-player-matches`, and fixtures that are no match there. Clubs stand in the match's id
-- (`25-26-efl-cup-arsenal-vs-port-vale`), which needs the competition's word: the older files have no column
-- for it.
WITH listed AS (
    SELECT
        source_match_id,
        tournament,
        gameweek,
        kick_off_day,
        home_team_code,
        away_team_code,
        home_score,
        away_score,
        is_finished,
        home_team_elo,
        away_team_elo,
        file,
        line,
        1 AS rank
    FROM soccer_league_player_matches_matches
    UNION ALL
    SELECT
        source_match_id,
        tournament,
        gameweek,
        kick_off_day,
        home_team_code,
        away_team_code,
        home_score,
        away_score,
        is_finished,
        home_team_elo,
        away_team_elo,
        file,
        line,
        2 AS rank
    FROM soccer_league_player_matches_fixtures
),

one AS (
    SELECT
        *,
        coalesce(tournament, regexp_extract(source_match_id, '^\d\d-\d\d-([a-z]+)-', 1)) AS word
    FROM listed
    QUALIFY row_number() OVER (PARTITION BY source_match_id ORDER BY rank, file, line) = 1
),

parts AS (
    SELECT
        *,
        substr(source_match_id, length(word) + 8) AS clubs,
        CASE WHEN substr(source_match_id, 1, 2) >= '70' THEN '19' ELSE '20' END
        || substr(source_match_id, 1, 5) AS season
    FROM one
    WHERE regexp_matches(source_match_id, '^\d\d-\d\d-.+-vs-.+')
)

SELECT
    p.source_match_id,
    p.season,
    coalesce(c.slug, p.word) AS competition,
    coalesce(c.name, p.word) AS competition_name,
    c.country,
    p.gameweek,
    p.kick_off_day,
    split_part(p.clubs, '-vs-', 1) AS home_name,
    split_part(p.clubs, '-vs-', 2) AS away_name,
    p.home_team_code,
    p.away_team_code,
    p.home_team_elo,
    p.away_team_elo,
    CASE WHEN p.is_finished THEN p.home_score END AS home_score,
    CASE WHEN p.is_finished THEN p.away_score END AS away_score
FROM parts AS p LEFT JOIN soccer_competitions AS c ON c.feed_code = p.word
