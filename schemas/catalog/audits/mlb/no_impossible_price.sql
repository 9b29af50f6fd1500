-- No American price lies between -100 and 100, and no decimal one is 1 or less.
SELECT
    market,
    league_date,
    seq
FROM mlb_prices WHERE abs(american) < 100 OR decimal <= 1
