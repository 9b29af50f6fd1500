-- Tables of regular seasons by division. Equal teams are told apart by the rules of the league: games among
-- them, the division, games against common opponents (four or more), the conference, strength of victory,
-- strength of schedule. Whoever the first rule that tells them apart puts first is looked at alone until one
-- is left; he is next, and those behind him begin anew. Sets of the four teams of a division are numbers
-- whose bits are the teams. What no rule tells apart has one rank.
WITH RECURSIVE members AS (
    SELECT
        r.*,
        row_number() OVER (PARTITION BY season, conference, division ORDER BY team_id) - 1 AS place,
        rank() OVER (PARTITION BY season, conference, division ORDER BY pct DESC) AS pct_rank
    FROM nfl_team_records AS r
),

groups AS (
    SELECT
        season,
        conference,
        division,
        pct_rank,
        CAST(sum(1 << place) AS INTEGER) AS mask,
        count(*) AS n
    FROM members GROUP BY season, conference, division, pct_rank
),

sets AS (
    SELECT
        g.season,
        g.conference,
        g.division,
        g.pct_rank,
        CAST(s.mask AS INTEGER) AS mask
    FROM groups AS g JOIN range(1, 16) AS s (mask) ON (s.mask & g.mask) = s.mask
),

inside AS (
    SELECT
        s.season,
        s.conference,
        s.division,
        s.mask,
        m.team_id,
        m.place,
        m.division_pct,
        m.conference_pct,
        m.strength_of_victory,
        m.strength_of_schedule,
        count(*) OVER (PARTITION BY s.season, s.conference, s.division, s.mask) AS n
    FROM sets AS s JOIN members AS m USING (season, conference, division, pct_rank) WHERE (s.mask & (1 << m.place)) > 0
),

played AS (
    SELECT
        season,
        team_id,
        opponent_id,
        CASE result WHEN 'W' THEN 2 WHEN 'T' THEN 1 ELSE 0 END AS half_wins
    FROM nfl_team_games WHERE phase = 'regular' AND result IS NOT NULL
),

among AS (
    SELECT
        i.season,
        i.conference,
        i.division,
        i.mask,
        i.team_id,
        CAST(sum(p.half_wins) AS DOUBLE) / (2 * count(*)) AS among_pct
    FROM inside AS i JOIN inside AS o USING (season, conference, division, mask)
    JOIN played AS p ON (p.season, p.team_id, p.opponent_id) = (i.season, i.team_id, o.team_id)
    GROUP BY i.season, i.conference, i.division, i.mask, i.team_id
),

common_opponents AS (
    SELECT
        i.season,
        i.conference,
        i.division,
        i.mask,
        p.opponent_id
    FROM inside AS i JOIN (SELECT DISTINCT
        season,
        team_id,
        opponent_id
    FROM played) AS p USING (season, team_id)
    GROUP BY i.season, i.conference, i.division, i.mask, i.n, p.opponent_id HAVING count(*) = i.n
),

common AS (
    SELECT
        i.season,
        i.conference,
        i.division,
        i.mask,
        i.team_id,
        CAST(sum(p.half_wins) AS DOUBLE) / (2 * count(*)) AS common_pct,
        count(*) AS common_games
    FROM inside AS i JOIN common_opponents AS c USING (season, conference, division, mask)
    JOIN played AS p ON (p.season, p.team_id, p.opponent_id) = (i.season, i.team_id, c.opponent_id)
    GROUP BY i.season, i.conference, i.division, i.mask, i.team_id
),

fair AS (
    SELECT
        season,
        conference,
        division,
        mask,
        count(*) AS n_common,
        min(common_games) AS least_common
    FROM common GROUP BY season, conference, division, mask
),

criteria AS (
    SELECT
        i.season,
        i.conference,
        i.division,
        i.mask,
        i.place,
        i.n,
        r.ord,
        r.rule,
        r.value
    FROM inside AS i
    LEFT JOIN among AS a USING (season, conference, division, mask, team_id)
    LEFT JOIN common AS c USING (season, conference, division, mask, team_id)
    LEFT JOIN fair AS f USING (season, conference, division, mask),
        LATERAL (
            VALUES (1, 'head_to_head', a.among_pct), (2, 'division_record', i.division_pct),
            (3, 'common_games', CASE WHEN f.n_common = i.n AND f.least_common >= 4 THEN c.common_pct END),
            (4, 'conference_record', i.conference_pct), (5, 'strength_of_victory', i.strength_of_victory),
            (6, 'strength_of_schedule', i.strength_of_schedule)
        ) AS r (ord, rule, value)
),

tops AS (
    SELECT
        *,
        max(value) OVER (PARTITION BY season, conference, division, mask, ord) AS top
    FROM criteria
),

told AS (
    -- A rule tells a set apart if all have a value of it and some have less than the best.
    SELECT
        season,
        conference,
        division,
        mask,
        ord,
        rule,
        CAST(sum(1 << place) FILTER (value = top) AS INTEGER) AS top_mask
    FROM tops GROUP BY season, conference, division, mask, ord, rule
    HAVING count(*) = count(value) AND min(value) < max(value)
),

first_rules AS (
    SELECT * FROM told QUALIFY row_number() OVER (PARTITION BY season, conference, division, mask ORDER BY ord) = 1
),

steps AS (
    -- `left_mask` are those without a rank, `mask` those of them that are still to be told apart.
    SELECT
        season,
        conference,
        division,
        pct_rank AS next_rank,
        mask AS left_mask,
        mask,
        CAST(NULL AS VARCHAR) AS rule,
        0 AS step
    FROM groups
    UNION ALL
    SELECT
        s.season,
        s.conference,
        s.division,
        CASE WHEN f.top_mask IS NULL THEN s.next_rank + bit_count(s.mask) ELSE s.next_rank END,
        CASE WHEN f.top_mask IS NULL THEN xor(s.left_mask, s.mask) ELSE s.left_mask END,
        CASE WHEN f.top_mask IS NULL THEN xor(s.left_mask, s.mask) ELSE f.top_mask END,
        CASE WHEN f.top_mask IS NULL THEN NULL ELSE f.rule END,
        s.step + 1
    FROM steps AS s LEFT JOIN first_rules AS f USING (season, conference, division, mask)
    WHERE s.left_mask > 0
),

ends AS (
    -- A set that no rule tells apart is ranked as it is.
    SELECT
        s.season,
        s.conference,
        s.division,
        s.next_rank AS rank,
        s.mask,
        s.rule,
        bit_count(s.mask) AS n
    FROM steps AS s
    LEFT JOIN first_rules AS f USING (season, conference, division, mask)
    WHERE f.mask IS NULL AND s.mask > 0
),

ranked AS (
    SELECT
        m.*,
        e.rank,
        g.n AS n_equal,
        e.n AS n_together,
        e.rule,
        max(e.rule) OVER (PARTITION BY m.season, m.conference, m.division, m.pct_rank, e.rank) AS own_rule,
        max(e.rank) OVER (PARTITION BY m.season, m.conference, m.division, m.pct_rank) AS last_rank
    FROM members AS m JOIN groups AS g USING (season, conference, division, pct_rank)
    JOIN ends
        AS e ON (e.season, e.conference, e.division) = (m.season, m.conference, m.division)
    AND (e.mask & (1 << m.place)) > 0
),

before AS (
    -- The last of equal teams is where it is by the rule that put the one above it there.
    SELECT
        *,
        max(rule)
            OVER (
                PARTITION BY season, conference, division, pct_rank ORDER BY rank RANGE BETWEEN 1 PRECEDING
                AND 1 PRECEDING
            )
            AS rule_above
    FROM ranked
)

SELECT
    r.season,
    r.conference,
    r.division,
    CAST(r.rank AS INTEGER) AS rank,
    r.team_id,
    n.abbr AS team_abbr,
    n.city || ' ' || n.name AS team_name,
    r.gp,
    r.w,
    r.l,
    r.t,
    r.pct,
    r.points_for,
    r.points_against,
    r.points_for - r.points_against AS points_diff,
    r.home_w,
    r.home_l,
    r.home_t,
    r.road_w,
    r.road_l,
    r.road_t,
    r.division_w,
    r.division_l,
    r.division_t,
    r.division_pct,
    r.conference_w,
    r.conference_l,
    r.conference_t,
    r.conference_pct,
    r.strength_of_victory,
    r.strength_of_schedule,
    r.last_result AS streak_result,
    r.streak_games,
    CASE
        WHEN r.n_equal = 1 THEN NULL WHEN r.n_together > 1 THEN 'not_resolved'
        ELSE coalesce(r.rule, r.rule_above)
    END AS tie_break,
    CASE WHEN r.n_equal > 1 AND r.n_together > 1 THEN 'not_resolved' END AS tie,
    r.last_week,
    r.results_missing
FROM before
    AS r JOIN nfl_club_names AS n ON n.team_id = r.team_id
AND CAST(r.season AS INTEGER) BETWEEN CAST(n.first_season AS INTEGER) AND CAST(n.last_season AS INTEGER)
