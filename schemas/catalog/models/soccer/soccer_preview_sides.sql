-- Both teams of every match of the leagues that the source of DNA covers; what of a preview needs no DNA does
-- not wait for it.
SELECT
    m.match_id,
    m.source_match_id,
    m.competition,
    m.season,
    m.match_date,
    unnest(
        [{ 'side': 'home', 'team_slug': m.home_slug }, { 'side': 'away', 'team_slug': m.away_slug }], recursive := true
    )
FROM soccer_matches AS m
JOIN soccer_competitions AS k ON k.slug = m.competition AND k.code IS NOT NULL AND k.country IS NOT NULL
WHERE k.feed_code IS NOT NULL
