-- Names that lead to one player among those whose ids are known.
SELECT lower(strip_accents(name)) AS folded, min(mlbam_id) AS player_id FROM mlb_player_ids GROUP BY ALL HAVING count(*) = 1
