-- Scores of a game with the score after each. Points follow from the text: of a touchdown, from the bracket
-- that tells of the try, so that a touchdown and its try are one score. The kind in the source may be missing
-- or belong to the try.
WITH scores AS (
    SELECT
        s.game_id,
        s.play,
        s.quarter,
        s.text,
        n.team_id,
        regexp_extract(s.text, '\(([^)]*)\)', 1) AS try,
        CASE
            WHEN s.text LIKE '% Field Goal%' THEN 'field_goal'
            WHEN
                s.text ILIKE '%defensive two point conversion%' OR s.text ILIKE '%defensive 2%'
                THEN 'defensive_conversion'
            WHEN s.text ILIKE '%safety%' AND coalesce(s.type, 'SAF') = 'SAF' THEN 'safety' ELSE 'touchdown'
        END AS kind
    FROM nfl_gamecenter_scores AS s JOIN nfl_spellings AS n ON n.spelling = s.team_abbr
),

pointed AS (
    SELECT
        *,
        CASE
            WHEN kind <> 'touchdown' THEN NULL
            WHEN regexp_matches(try, '(failed|short|blocked|no good|aborted)') THEN 'failed'
            WHEN try LIKE '%kick%' THEN 'kick' WHEN regexp_matches(try, '(run|pass)') THEN 'two_points'
            ELSE 'none'
        END AS try_result
    FROM scores
),

valued AS (
    SELECT
        *,
        CASE kind
            WHEN 'field_goal' THEN 3 WHEN 'touchdown'
                THEN CASE try_result WHEN 'kick' THEN 7 WHEN 'two_points' THEN 8 ELSE 6 END
            ELSE 2
        END AS points
    FROM pointed
)

SELECT
    g.game_id,
    g.market_id,
    v.play,
    v.quarter,
    CASE
        WHEN v.team_id = g.home_id THEN g.home_abbr
        ELSE g.away_abbr
    END AS team_abbr,
    v.kind,
    v.try_result,
    v.points,
    CAST(sum(CASE WHEN v.team_id = g.home_id THEN v.points ELSE 0 END) OVER game AS INTEGER) AS home_score,
    CAST(sum(CASE WHEN v.team_id = g.away_id THEN v.points ELSE 0 END) OVER game AS INTEGER) AS away_score,
    v.text
FROM valued AS v JOIN nfl_games AS g USING (game_id)
WINDOW game AS (PARTITION BY v.game_id ORDER BY v.play)
