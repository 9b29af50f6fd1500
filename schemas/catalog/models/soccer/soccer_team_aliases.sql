-- Every name that a source gives a team, with the slug of the team. `context` is the country of the
-- competition in which it was written so, '' where that has none. A name is folded: no marks, no (ENG) behind
-- it, no FC at its end; `Portsmouth` and `Portsmouth FC` are one club so. soccer_spellings.csv has the rest.
-- Clubs of two countries with one slug (River Plate) are told apart by the country's code at the end of all
-- but the first.
WITH written AS (
    SELECT
        home_name AS name,
        coalesce(country, '') AS context,
        false AS is_nation
    FROM soccer_listed_matches
    UNION
    SELECT
        away_name,
        coalesce(country, ''),
        false
    FROM soccer_listed_matches
    UNION
    SELECT
        home_name,
        coalesce(country, ''),
        false
    FROM soccer_feed_matches
    UNION
    SELECT
        away_name,
        coalesce(country, ''),
        false
    FROM soccer_feed_matches
    UNION
    SELECT
        team_name,
        'ENG',
        false
    FROM soccer_incidents_pl_goals WHERE team_name IS NOT NULL
    UNION
    SELECT
        trim(split_part(game_text, ' vs. ', 1)),
        'ENG',
        false
    FROM soccer_incidents_pl_goals
    UNION
    SELECT
        trim(regexp_replace(split_part(game_text, ' vs. ', 2), '\s+\d+:\d+$', '')),
        'ENG',
        false
    FROM soccer_incidents_pl_goals
    UNION
    SELECT
        team_name,
        'ENG',
        false
    FROM soccer_incidents_lineups WHERE team_name IS NOT NULL
    UNION
    SELECT
        team_name,
        'ENG',
        false
    FROM soccer_incidents_formations
    UNION
    SELECT
        team_name,
        'ENG',
        false
    FROM soccer_league_player_matches_teams
    UNION
    SELECT
        coalesce(long_name, team_name),
        'ENG',
        false
    FROM soccer_league_player_matches_teams
    UNION
    SELECT
        e.name,
        coalesce(e.country, ''),
        false
    FROM soccer_scoreboard_names AS e
    UNION
    SELECT
        o.home_name,
        coalesce(c.country, ''),
        false
    FROM soccer_open_matches AS o LEFT
    JOIN soccer_competitions AS c ON c.code = o.competition_code
    UNION
    SELECT
        o.away_name,
        coalesce(c.country, ''),
        false
    FROM soccer_open_matches AS o LEFT
    JOIN soccer_competitions AS c ON c.code = o.competition_code
    UNION
    SELECT
        home_name,
        '',
        true
    FROM soccer_internationals_results
    UNION
    SELECT
        away_name,
        '',
        true
    FROM soccer_internationals_results
),

folded AS (
    SELECT
        name,
        context,
        is_nation,
        coalesce(nullif(
            regexp_extract(name, '\(([A-Z]{3})\)$', 1), ''), nullif(
            context,
            ''
        )) AS own_country,
        trim(regexp_replace(regexp_replace(strip_accents(lower(translate(
            regexp_replace(name, '\s*\([A-Z]{3}\)$', ''),
            'ßøØłŁđĐıæÆ''’.', 'soOlLdDiaA'
        ))), '[^a-z0-9]+', '-', 'g'), '-a?fc-?$', ''), '-') AS fold
    FROM written
),

spelt AS (
    -- A club of Monaco plays in the league of France: the league's country is the club's here.
    SELECT
        f.name,
        f.context,
        f.is_nation,
        coalesce(s.slug, f.fold) AS slug,
        coalesce(h.league_country, f.own_country, s.country) AS country
    FROM folded AS f
    LEFT JOIN soccer_homes AS h ON h.slug = f.fold AND h.country = f.own_country AND NOT f.is_nation
    LEFT JOIN soccer_spellings AS s ON s.folded = f.fold AND NOT f.is_nation AND (
        s.country = f.own_country
        OR f.own_country IS NULL
    )
),

-- A club that a European cup names without its country is the one club that has this slug elsewhere.
homes AS (
    SELECT
        slug,
        min(country) AS country
    FROM spelt WHERE NOT is_nation AND country IS NOT NULL
    GROUP BY slug HAVING count(DISTINCT country) = 1
),

placed AS (
    SELECT
        s.name,
        s.context,
        s.is_nation,
        s.slug,
        CASE WHEN s.is_nation THEN
            NULL ELSE coalesce(
            s.country,
            h.country
        ) END AS country
    FROM spelt AS s LEFT JOIN homes AS h ON h.slug = s.slug
),

teams AS (
    SELECT
        slug,
        is_nation,
        country,
        row_number()
            OVER (PARTITION BY slug ORDER BY is_nation DESC, bool_or(context <> '') DESC, country NULLS LAST)
            AS rank
    FROM placed GROUP BY slug, is_nation, country
)

SELECT
    p.name,
    p.context,
    p.is_nation,
    p.country AS league_country,
    CASE WHEN t.rank = 1 THEN p.slug ELSE p.slug || '-' || lower(coalesce(p.country, 'club')) END AS team
FROM placed AS p
JOIN teams AS t ON t.slug = p.slug AND t.is_nation = p.is_nation AND t.country IS NOT DISTINCT FROM p.country
WHERE p.slug <> ''
