-- Fighter a is the one with the lower id, which says nothing of the result: his share of the decided bouts
-- lies within the 99.9 % interval of a fair coin.
WITH decided AS (
    SELECT
        count(*) AS bouts,
        count(*) FILTER (winner_id = fighter_a_id) AS won
    FROM results JOIN bouts USING (bout_id) WHERE outcome = 'win'
)

SELECT
    bouts,
    won,
    won / bouts AS share
FROM decided
WHERE abs(won - bouts / 2) > 3.2905 * sqrt(bouts) / 2 + 0.5
