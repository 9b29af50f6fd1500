-- What DNA of umpires is made of: a row for each game behind the plate, with all strikeouts and batters of
-- both clubs.
SELECT
    umpire_id,
    coalesce(umpire_name, umpire_id) AS umpire_name,
    CAST(year(league_date) AS VARCHAR) AS season,
    'plate' AS pool,
    league_date,
    strikeouts,
    batters_faced
FROM mlb_props_pitcher_umpires
