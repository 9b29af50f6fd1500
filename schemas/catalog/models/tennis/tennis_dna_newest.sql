-- DNA of each player as of the newest event that enters, by surface.
SELECT d.player_slug, d.surface, d.metric, y.player_id, y.other_id, d.pool, d.label, d.unit, d.direction, d.class, d.valid_from,
       d.status, d.value, d.raw_value, d.low, d.high, d.weight, d.pool_mean, d.games, d.exposure, d.confidence, d.reasons,
       d.percentile, d.pool_size
FROM tennis_player_dna AS d JOIN tennis_players AS y ON y.player_slug = d.player_slug
QUALIFY d.valid_from = max(d.valid_from) OVER (PARTITION BY d.subject_key, d.metric)
