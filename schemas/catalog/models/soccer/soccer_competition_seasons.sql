-- Seasons of competitions of clubs and of national teams, with what was captured of each.
SELECT
    competition,
    max(competition_name) AS competition_name,
    season,
    CAST(count(*) AS INTEGER) AS matches,
    CAST(count(home_score) AS INTEGER) AS results,
    min(match_date) AS from_date,
    max(match_date) AS to_date,
    bool_or(score_source = 'internationals' OR (score_source IS NULL AND is_neutral IS NOT NULL)) AS is_national
FROM soccer_matches
GROUP BY competition, season
