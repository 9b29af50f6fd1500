-- Games with the records of both teams before that day: a game of the day itself is no part of them. Of a
-- season or phase of which no source lists every game nobody can tell a record.
WITH days AS (
    SELECT
        team_abbr,
        season,
        phase,
        league_date,
        count(*) FILTER (result = 'W') AS wins,
        count(*) FILTER (result IN ('L', 'OTL')) AS defeats
    FROM nhl_team_games GROUP BY ALL
),

records AS (
    SELECT
        team_abbr,
        season,
        phase,
        league_date,
        coalesce(sum(wins) OVER before, 0) AS wins,
        coalesce(sum(defeats) OVER before, 0) AS defeats
    FROM days WHERE phase IN ('regular', 'playoffs') AND season IN (SELECT season FROM nhl_listed_seasons)
    WINDOW
        before AS (
            PARTITION BY team_abbr, season, phase ORDER BY league_date ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
),

stars AS (
    SELECT
        game_id,
        list(
            struct_pack(star := star, player_id := player_id, name := player_name, team := team_abbr)
            ORDER BY star
        ) AS stars
    FROM nhl_game_stars GROUP BY game_id
),

prices AS (
    SELECT
        game_id,
        list(struct_pack(
            market := market, moment := moment, side := side, line := line,
            american := american, book := book
        )
        ORDER BY price_id) AS odds
    FROM nhl_odds WHERE kind = 'game' AND game_id IS NOT NULL GROUP BY game_id
)

SELECT
    g.game_id,
    g.season,
    g.phase,
    g.league_date,
    g.starts_at,
    g.status,
    g.home_abbr,
    g.home_name,
    g.home_score,
    h.wins AS home_wins,
    h.defeats AS home_defeats,
    g.away_abbr,
    g.away_name,
    g.away_score,
    a.wins AS away_wins,
    a.defeats AS away_defeats,
    g.decided_in,
    s.stars,
    p.odds
FROM nhl_games AS g
LEFT JOIN
    records AS h
    ON (h.team_abbr, h.season, h.phase, h.league_date) = (g.home_abbr, g.season, g.phase, g.league_date)
LEFT JOIN
    records AS a
    ON (a.team_abbr, a.season, a.phase, a.league_date) = (g.away_abbr, g.season, g.phase, g.league_date)
LEFT JOIN stars AS s ON s.game_id = g.game_id
LEFT JOIN prices AS p ON p.game_id = g.game_id
