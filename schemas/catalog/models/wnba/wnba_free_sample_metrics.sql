-- DNA of the player of the free sample, as her season stands.
SELECT d.* FROM wnba_dna_index AS d JOIN wnba_free_sample_player AS p USING (season, player_id)
