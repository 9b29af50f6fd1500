-- Quarters add up to the final where overtime is told or there was none.
SELECT game_id FROM nfl_games
WHERE
    status = 'final' AND (decided_in = 'regulation' OR home_ot IS NOT NULL)
    AND (
        home_q1 + home_q2 + home_q3 + home_q4 + coalesce(home_ot, 0) <> home_score
        OR away_q1 + away_q2 + away_q3 + away_q4 + coalesce(away_ot, 0) <> away_score
    )
