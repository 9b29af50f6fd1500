-- Both clubs of a game as they came to it: record of the season, its last ten games, days of rest. Of league
-- games before the day.
WITH played AS (
    SELECT
        team_abbr,
        season,
        league_date,
        game_id,
        CAST(result = 'W' AS INTEGER) AS won
    FROM wnba_team_games
    WHERE phase IN ('regular', 'playoffs') AND result IS NOT NULL
),

before AS (
    SELECT
        t.game_id,
        t.team_abbr,
        t.is_home,
        t.league_date,
        p.won,
        p.league_date AS played_on,
        row_number() OVER (PARTITION BY t.game_id, t.team_abbr ORDER BY p.league_date DESC, p.game_id DESC) AS nth
    FROM wnba_team_games AS t
    LEFT JOIN played AS p ON (p.team_abbr, p.season) = (t.team_abbr, t.season) AND p.league_date < t.league_date
    WHERE t.phase IN ('regular', 'playoffs')
)

SELECT
    game_id,
    team_abbr,
    is_home,
    coalesce(sum(won), 0) AS w,
    count(won) - coalesce(sum(won), 0) AS l,
    coalesce(sum(won) FILTER (nth <= 10), 0) AS last10_w,
    count(won) FILTER (nth <= 10) - coalesce(sum(won) FILTER (nth <= 10), 0) AS last10_l,
    max(league_date) - max(played_on) - 1 AS rest_days
FROM before GROUP BY game_id, team_abbr, is_home
