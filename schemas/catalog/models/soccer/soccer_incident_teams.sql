-- Clubs of `incidents` have names of their own (`ac-florenz`). A name is the club of the same competition and
-- season whose matches at home had the same result on the same day most often, twice as often as the next
-- one, and five times at least; else it keeps its own name. No list of names is needed so, for any league.
WITH votes AS (
    SELECT
        g.competition,
        g.season,
        g.home_name AS name,
        n.team,
        count(*) AS n
    FROM soccer_incident_games AS g
    JOIN soccer_listed_matches AS l
        ON
            l.competition = g.competition AND l.season = g.season AND l.phase = 'regular'
            AND l.match_date = g.match_date AND l.home_ft = g.home_score AND l.away_ft = g.away_score
    JOIN soccer_team_aliases AS n ON n.name = l.home_name AND n.context = coalesce(l.country, '') AND NOT n.is_nation
    GROUP BY ALL
),

ranked AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY competition, season, name ORDER BY n DESC, team) AS place,
        coalesce(lead(n) OVER (PARTITION BY competition, season, name ORDER BY n DESC, team), 0) AS next_n
    FROM votes
),

written AS (
    SELECT
        competition,
        season,
        home_name AS name
    FROM soccer_incident_games
    UNION
    SELECT
        competition,
        season,
        away_name
    FROM soccer_incident_games
)

SELECT
    w.competition,
    w.season,
    w.name,
    coalesce(r.team, w.name) AS team,
    r.team IS NOT NULL AS is_linked,
    r.n,
    r.next_n
FROM written AS w
LEFT JOIN ranked
    AS r ON r.competition = w.competition AND r.season = w.season AND r.name = w.name
AND r.place = 1 AND r.n >= 5 AND r.n >= 2 * r.next_n
