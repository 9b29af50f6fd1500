-- The last five results of both teams before the day of a match, in any captured competition, newest first.
WITH numbered AS (
    SELECT
        s.match_id,
        s.source_match_id,
        s.side,
        s.team_slug,
        t.match_id AS last_match_id,
        t.match_date,
        t.competition,
        t.side AS venue,
        t.opponent_slug,
        t.opponent_name,
        t.goals_for,
        t.goals_against,
        row_number() OVER (PARTITION BY s.match_id, s.side ORDER BY t.match_date DESC, t.match_id DESC) AS seq
    FROM soccer_preview_sides AS s
    JOIN soccer_team_matches AS t ON t.team_slug = s.team_slug AND t.match_date < s.match_date
    WHERE t.goals_for IS NOT NULL
)

SELECT * FROM numbered WHERE seq <= 5
