-- Ids that feeds give to one player, by the league's id; of two rows of one id the first of the file counts.
SELECT
    mlbam_id,
    retro_id,
    bref_id,
    name
FROM mlb_venues_player_ids WHERE mlbam_id IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY mlbam_id ORDER BY retro_id NULLS LAST, file, line) = 1
