-- The name by which a team is shown: the spelling that stands in most matches, without the country behind it,
-- and where none does the longest. Clubs that only `incidents` names have its name.
WITH written AS (
    SELECT
        n.team,
        n.is_nation,
        n.league_country,
        regexp_replace(l.name, '\s*\([A-Z]{3}\)$', '') AS name,
        1 AS rank
    FROM (
        SELECT
            home_name AS name,
            coalesce(country, '') AS context
        FROM soccer_listed_matches
        UNION ALL
        SELECT
            away_name,
            coalesce(country, '')
        FROM soccer_listed_matches
    ) AS l
    JOIN soccer_team_aliases AS n ON n.name = l.name AND n.context = l.context AND NOT n.is_nation
    UNION ALL
    SELECT
        team,
        is_nation,
        league_country,
        name,
        CASE WHEN is_nation THEN 1 WHEN name = lower(name) THEN 3 ELSE 2 END
    FROM soccer_team_aliases
    UNION ALL
    SELECT
        team,
        false,
        NULL,
        name,
        4
    FROM soccer_incident_teams
),

counted AS (
    SELECT
        team,
        bool_or(is_nation) AS is_nation,
        name,
        min(rank) AS rank,
        count(*) AS n,
        max(league_country) AS league_country
    FROM written GROUP BY team, name
),

best AS (
    SELECT
        *,
        max(league_country) OVER (PARTITION BY team) AS country
    FROM counted
    QUALIFY row_number() OVER (PARTITION BY team ORDER BY rank, n DESC, length(name) DESC, name) = 1
)

SELECT
    team,
    is_nation,
    -- A slug is no name: `port-vale` is shown as Port Vale.
    CASE
        WHEN rank >= 3 THEN array_to_string([upper(w[1]) || substr(w, 2) for w in string_split(name, '-')], ' ')
        ELSE name
    END AS name,
    country AS league_country
FROM best
