-- Both teams of every league match of a competition whose teams have DNA.
SELECT m.match_id, m.source_match_id, m.competition, m.season, m.match_date,
       unnest([{'side': 'home', 'team_slug': m.home_slug}, {'side': 'away', 'team_slug': m.away_slug}], recursive := true)
FROM soccer_matches AS m
JOIN (SELECT DISTINCT competition FROM soccer_matches AS s
      WHERE s.match_id IN (SELECT match_id FROM soccer_match_statistics)) AS c USING (competition)
JOIN soccer_competitions AS k ON k.slug = m.competition AND k.code IS NOT NULL AND k.country IS NOT NULL
