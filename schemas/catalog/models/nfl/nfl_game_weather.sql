-- Weather at the place of a game; under a roof, too, it is that outside.
SELECT
    g.game_id,
    g.market_id,
    g.feed_id,
    g.season,
    g.phase,
    g.week,
    g.league_date,
    g.home_abbr,
    g.away_abbr,
    w.temp_f,
    w.wind_mph,
    w.precip_pct,
    nullif(w.precip_kind, 'none') AS precip_kind,
    w.sky,
    w.roof,
    w.surface,
    w.is_neutral
FROM nfl_games_lines_weather AS w JOIN nfl_spellings AS n ON n.spelling = w.home_name
JOIN nfl_games AS g ON g.league_date = w.league_date AND g.home_id = n.team_id
