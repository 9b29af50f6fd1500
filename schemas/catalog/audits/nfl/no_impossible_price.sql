-- No American price lies between -100 and 100.
SELECT
    game_id,
    seq
FROM nfl_prices WHERE abs(american) < 100
