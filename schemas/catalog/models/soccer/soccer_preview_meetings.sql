-- Up to ten earlier matches between the teams of a match, newest first.
WITH pairs AS (
    SELECT
        match_id,
        max(source_match_id) AS source_match_id,
        max(match_date) AS match_date,
        min(team_slug) AS one,
        max(team_slug) AS other
    FROM soccer_preview_sides GROUP BY match_id
),

met AS (
    SELECT
        *,
        least(home_slug, away_slug) AS one,
        greatest(home_slug, away_slug) AS other
    FROM soccer_matches WHERE home_score IS NOT NULL AND away_score IS NOT NULL
),

numbered AS (
    SELECT
        p.match_id,
        p.source_match_id,
        m.match_id AS meeting_id,
        m.match_date,
        m.competition,
        m.season,
        m.home_slug,
        m.home_score,
        m.away_slug,
        m.away_score,
        row_number() OVER (PARTITION BY p.match_id ORDER BY m.match_date DESC, m.match_id DESC) AS seq
    FROM pairs AS p JOIN met AS m ON m.one = p.one AND m.other = p.other AND m.match_date < p.match_date
)

SELECT * FROM numbered WHERE seq <= 10
