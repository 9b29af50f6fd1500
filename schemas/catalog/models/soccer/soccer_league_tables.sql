-- Tables of leagues with rank and the rule that decided it. Five numbers stand in the order of the league's
-- rules, so that one comparison serves all: goal difference first (England, Germany, France, the Netherlands
-- and leagues that we do not know), head-to-head first (Spain, Italy, Portugal), wins first (Brazil, MLS), or
-- those of a league phase.
WITH rules AS (
    SELECT
        competition,
        season,
        min(competition_name) AS competition_name,
        min(tie_break) AS tie_break
    FROM soccer_listed_matches GROUP BY ALL
),

ruled AS (
    SELECT
        s.*,
        r.competition_name,
        r.tie_break AS rule,
        s.goals_for - s.goals_against AS difference,
        coalesce(t.mutual_points, 0) AS mp,
        coalesce(t.mutual_difference, 0) AS md
    FROM soccer_standings AS s
    JOIN rules AS r ON r.competition = s.competition AND r.season = s.season
    LEFT JOIN soccer_tied_matches
        AS t ON t.competition = s.competition AND t.season = s.season
    AND t.valid_from = s.valid_from AND t.team = s.team
),

compared AS (
    SELECT
        *,
        CASE rule WHEN 'head_to_head' THEN mp WHEN 'wins' THEN won ELSE difference END AS c1,
        CASE rule WHEN 'head_to_head' THEN md WHEN 'wins' THEN difference ELSE goals_for END AS c2,
        CASE rule
            WHEN 'head_to_head' THEN difference WHEN 'wins' THEN goals_for
            WHEN 'league_phase' THEN away_goals ELSE mp
        END AS c3,
        CASE rule WHEN 'head_to_head' THEN goals_for WHEN 'wins' THEN mp WHEN 'league_phase' THEN won ELSE md END AS c4,
        CASE rule WHEN 'wins' THEN md WHEN 'league_phase' THEN away_wins ELSE 0 END AS c5,
        CASE rule
            WHEN 'head_to_head'
                THEN [
                    'head_to_head_points', 'head_to_head_difference', 'goal_difference',
                    'goals', 'goals'
                ]
            WHEN 'wins' THEN ['wins', 'goal_difference', 'goals', 'head_to_head_points', 'head_to_head_difference']
            WHEN 'league_phase' THEN ['goal_difference', 'goals', 'away_goals', 'wins', 'away_wins']
            ELSE [
                'goal_difference', 'goals', 'head_to_head_points', 'head_to_head_difference',
                'head_to_head_difference'
            ]
        END AS names
    FROM ruled
)

SELECT
    competition,
    competition_name,
    season,
    valid_from,
    max(valid_from) OVER (
        PARTITION BY
            competition,
            season
    ) AS newest_valid_from,
    CAST(rank() OVER (
        PARTITION BY
            competition, season, valid_from ORDER BY
            points DESC, c1 DESC, c2 DESC, c3 DESC,
            c4 DESC, c5 DESC
    ) AS INTEGER) AS rank,
    team,
    played,
    won,
    drawn,
    lost,
    goals_for,
    goals_against,
    difference,
    points,
    deductions,
    form,
    CASE
        WHEN count(*) OVER (PARTITION BY competition, season, valid_from, points) = 1 THEN NULL
        WHEN count(*) OVER (PARTITION BY competition, season, valid_from, points, c1) = 1 THEN names[1]
        WHEN count(*) OVER (PARTITION BY competition, season, valid_from, points, c1, c2) = 1 THEN names[2]
        WHEN count(*) OVER (PARTITION BY competition, season, valid_from, points, c1, c2, c3) = 1 THEN names[3]
        WHEN count(*) OVER (PARTITION BY competition, season, valid_from, points, c1, c2, c3, c4) = 1 THEN names[4]
        WHEN count(*) OVER (PARTITION BY competition, season, valid_from, points, c1, c2, c3, c4, c5) = 1 THEN names[5]
        ELSE 'not_resolved'
    END AS tie_break
FROM compared
