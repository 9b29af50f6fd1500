-- Clubs of seasons by the league's id. The park is that of most home games where no source states it.
WITH played AS (
    SELECT
        season,
        home_id AS team_id,
        venue,
        count(*) AS n
    FROM mlb_games
    WHERE venue IS NOT NULL AND phase = 'regular' GROUP BY season, home_id, venue
),

parks AS (
    SELECT
        season,
        team_id,
        venue
    FROM played
    QUALIFY row_number() OVER (PARTITION BY season, team_id ORDER BY n DESC, venue) = 1
),

named AS (
    SELECT
        team_id,
        season,
        name,
        max(abbr) OVER w AS stated_abbr,
        max(venue) OVER w AS stated_venue
    FROM mlb_team_names
    WINDOW w AS (PARTITION BY team_id, season)
    QUALIFY row_number() OVER (PARTITION BY team_id, season ORDER BY preference) = 1
)

SELECT
    n.team_id,
    n.season,
    coalesce(n.stated_abbr, CASE WHEN c.team_id = '133' AND n.season < '2025' THEN 'OAK' ELSE c.abbr END) AS abbr,
    n.name,
    c.league,
    c.division,
    coalesce(n.stated_venue, p.venue) AS venue,
    c.retro_code,
    c.espn_abbr,
    c.other_abbr
FROM named AS n JOIN mlb_clubs AS c USING (team_id) LEFT JOIN parks AS p USING (team_id, season)
