-- No version of DNA of clubs from results rests on more matches than the club had played in the league before its day.
SELECT
    d.team_slug,
    d.pool,
    d.valid_from
FROM (SELECT
    team_slug,
    pool,
    valid_from,
    max(games) AS games
FROM soccer_club_goals_dna GROUP BY ALL) AS d
LEFT JOIN (
    SELECT
        home_slug AS team_slug,
        competition,
        match_date,
        match_id
    FROM soccer_matches WHERE status = 'final' AND phase = 'regular'
    UNION ALL
    SELECT
        away_slug,
        competition,
        match_date,
        match_id
    FROM soccer_matches WHERE status = 'final' AND phase = 'regular'
) AS m
    ON m.team_slug = d.team_slug AND m.competition = d.pool AND m.match_date < d.valid_from
GROUP BY d.team_slug, d.pool, d.valid_from, d.games HAVING d.games > count(m.match_id)
