-- Players of captured matches and rankings. Two of one slug get the year of birth, and where that does not
-- tell them apart the source's id.
WITH listed AS (
    SELECT
        'atp' AS tour,
        player_ref,
        first_name,
        last_name,
        hand,
        birth_text,
        country,
        height_text
    FROM tennis_atp_matches_players
    UNION ALL
    SELECT
        'wta',
        player_ref,
        first_name,
        last_name,
        hand,
        birth_text,
        country,
        height_text
    FROM tennis_wta_matches_players
),

played AS (
    SELECT
        tour,
        winner_ref AS player_ref,
        winner_name AS name,
        winner_country AS country,
        event_week,
        match_id
    FROM tennis_match_facts
    UNION ALL
    SELECT
        tour,
        loser_ref,
        loser_name,
        loser_country,
        event_week,
        match_id
    FROM tennis_match_facts
),

seen AS (
    SELECT
        tour,
        player_ref,
        max_by(name, (event_week, match_id)) AS name,
        max_by(country, (event_week, match_id)) AS country,
        count(*) AS matches,
        max(event_week) AS newest_event_week
    FROM played GROUP BY ALL
),

known AS (
    SELECT
        tour,
        player_ref
    FROM seen
    UNION
    SELECT
        left(player_id, 3),
        substr(player_id, 5)
    FROM tennis_newest_rankings
),

named AS (
    SELECT
        k.tour || '-' || k.player_ref AS player_id,
        k.tour,
        coalesce(nullif(trim(concat_ws(' ', l.first_name, l.last_name)), ''), s.name) AS name,
        coalesce(l.country, s.country) AS country,
        nullif(l.hand, 'U') AS hand,
        CAST(try_strptime(l.birth_text, '%Y%m%d') AS DATE) AS born_on,
        nullif(TRY_CAST(left(l.birth_text, 4) AS INTEGER), 1900) AS birth_year,
        TRY_CAST(l.height_text AS INTEGER) AS height,
        coalesce(s.matches, 0) AS matches,
        s.newest_event_week
    FROM known AS k LEFT JOIN listed AS l USING (tour, player_ref) LEFT JOIN seen AS s USING (tour, player_ref)
),

slugged AS (
    SELECT
        *,
        trim(regexp_replace(lower(strip_accents(coalesce(name, player_id))), '[^a-z0-9]+', '-', 'g'), '-') AS slug
    FROM named
),

by_year AS (
    SELECT
        *,
        slug || CASE
            WHEN count(*) OVER (PARTITION BY slug) > 1 AND birth_year IS NOT NULL THEN '-' || birth_year
            ELSE ''
        END AS longer
    FROM slugged
)

SELECT
    longer || CASE WHEN count(*) OVER (PARTITION BY longer) > 1 THEN '-' || player_id ELSE '' END AS player_slug,
    player_id,
    p.other_id,
    tour,
    name,
    country,
    hand,
    born_on,
    CASE WHEN height BETWEEN 130 AND 230 THEN height END AS height_cm,
    r.rank,
    r.rank_points,
    r.ranked_on,
    CAST(matches AS INTEGER) AS matches,
    newest_event_week
FROM by_year
LEFT JOIN tennis_player_pairs AS p USING (player_id)
LEFT JOIN tennis_newest_rankings AS r USING (player_id)
