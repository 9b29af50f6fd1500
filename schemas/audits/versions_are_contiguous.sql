-- A fighter's versions are 1, 2, 3 …, each begins on the day after its latest bout, and later than the one
-- before; his eligible bouts and rounds only grow.
WITH ordered AS (
    SELECT
        fighter_id,
        version,
        valid_from,
        first_bout_date,
        last_bout_date,
        eligible_bouts,
        eligible_rounds,
        row_number() OVER own AS place,
        lag(valid_from) OVER own AS earlier_from,
        lag(eligible_bouts) OVER own AS earlier_bouts,
        lag(eligible_rounds) OVER own AS earlier_rounds,
        first_value(first_bout_date) OVER own AS first_date
    FROM dna_versions
    WINDOW own AS (PARTITION BY fighter_id ORDER BY version)
)

SELECT * FROM ordered
WHERE
    version <> place
    OR valid_from <> last_bout_date + 1
    OR valid_from <= earlier_from
    OR eligible_bouts <= earlier_bouts OR eligible_rounds <= earlier_rounds
    OR first_bout_date <> first_date OR first_bout_date > last_bout_date
    OR eligible_bouts < version
