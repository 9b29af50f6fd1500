-- Series of play-offs with their games. Who won more games, and as many as the longest series of the round
-- asks for, won it.
WITH games AS (
    SELECT
        *,
        least(home_abbr, away_abbr) AS one,
        greatest(home_abbr, away_abbr) AS other,
        CASE round WHEN 'R1' THEN 1 WHEN 'SF' THEN 2 WHEN 'Final' THEN 3 END AS round_order
    FROM wnba_games WHERE phase = 'playoffs' AND round IN ('R1', 'SF', 'Final')
),

sums AS (
    SELECT
        season,
        round_order,
        round,
        one,
        other,
        min(league_date) AS starts_on,
        max(league_date) AS ends_on,
        count(*) FILTER (status = 'final' AND (home_score > away_score) = (home_abbr = one)) AS one_wins,
        count(*) FILTER (status = 'final' AND (home_score > away_score) = (home_abbr = other)) AS other_wins,
        list(
            {
                game_id: game_id,
                game: series_game,
                league_date: league_date,
                home_abbr: home_abbr,
                home_score: home_score,
                away_abbr: away_abbr, away_score: away_score
            } ORDER BY league_date, game_id
        ) AS games
    FROM games GROUP BY ALL
),

needed AS (
    SELECT
        *,
        max(greatest(one_wins, other_wins)) OVER (PARTITION BY season, round_order) AS wins_needed
    FROM sums
)

SELECT
    season,
    round_order,
    one || '-' || other AS series_id,
    round,
    one AS team1_abbr,
    other AS team2_abbr,
    starts_on,
    ends_on,
    one_wins AS team1_wins,
    other_wins AS team2_wins,
    CASE
        WHEN one_wins = wins_needed AND one_wins > other_wins THEN one WHEN
            other_wins = wins_needed AND other_wins > one_wins
            THEN other
    END AS winner_abbr,
    games
FROM needed
