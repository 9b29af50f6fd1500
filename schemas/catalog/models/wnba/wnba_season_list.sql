-- Seasons with their days as games tell them, and who won them.
SELECT
    g.season,
    min(g.league_date) FILTER (g.phase = 'regular') AS regular_from,
    max(g.league_date) FILTER (g.phase = 'regular') AS regular_to,
    min(g.league_date) FILTER (g.phase = 'playoffs') AS playoffs_from,
    max(g.league_date) FILTER (g.phase = 'playoffs') AS playoffs_to,
    count(*) FILTER (g.phase = 'regular' AND g.status = 'final') AS regular_games_played,
    count(*) FILTER (g.phase = 'regular' AND g.status = 'scheduled') AS regular_games_left,
    count(*) FILTER (g.phase = 'playoffs' AND g.status = 'final') AS playoff_games_played,
    max(s.champion_abbr) AS champion_abbr,
    max(c.city || ' ' || c.name) AS champion_name,
    max(s.runner_up_abbr) AS runner_up_abbr
FROM wnba_games AS g
LEFT JOIN wnba_schedule_2026_seasons AS s ON s.season = g.season LEFT JOIN wnba_clubs AS c ON c.abbr = s.champion_abbr
WHERE g.phase IN ('regular', 'playoffs') GROUP BY g.season
