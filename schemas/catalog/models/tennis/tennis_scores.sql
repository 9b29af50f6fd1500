-- What the score of a match says. Words tell how it ended, in whatever case; what is left must be sets and
-- nothing else, or the score cannot be read: a spreadsheet made dates of some (`3-Jun`). A score of sets
-- alone is that of a finished match if its last set is finished, and either side has two and not as many as
-- the other; sets of four games are those of short formats.
WITH split AS (
    SELECT
        *,
        trim(score) AS text,
        CASE
            WHEN regexp_matches(score, '(?i)\b(w/?o\b|walk[ -]?over)') THEN 'walkover'
            WHEN
                regexp_matches(score, '(?i)\b(abd|abn|aban|abandoned|unfinished|cancelled|canceled|suspended)\b')
                THEN 'abandoned'
            WHEN regexp_matches(score, '(?i)\b(def|defaulted|default)\b') THEN 'defaulted'
            WHEN regexp_matches(score, '(?i)\b(ret|retd|retired|retirement)\b') THEN 'retired'
        END AS stated_outcome
    FROM tennis_match_facts
),

worded AS (
    SELECT
        *,
        CASE
            WHEN stated_outcome IS NULL THEN text
            ELSE trim(regexp_replace(text, '(?i)\b(played|and|walk[ -]?over|w/?o|[a-z]{3,})\b[.]?([+]\w+)?', '', 'g'))
        END
            AS left_over
    FROM split
),

told AS (
    SELECT
        * EXCLUDE (text, left_over),
        CASE WHEN regexp_full_match(left_over, '(\[?\d{1,2}-\d{1,2}\]?(\(\d{1,2}\))?\s*)+') THEN left_over ELSE '' END
            AS score_sets
    FROM worded
),

listed AS (
    SELECT
        *,
        list_transform(regexp_extract_all(score_sets, '\[?\d+-\d+'), LAMBDA s: {
            'a': TRY_CAST(regexp_extract(s, '(\d+)-', 1) AS INTEGER),
            'b': TRY_CAST(regexp_extract(s, '-(\d+)', 1) AS INTEGER),
            'is_tie_break': s LIKE '[%'
        }) AS games
    FROM told
),

counted AS (
    SELECT
        *,
        list_max(list_transform(games, LAMBDA s: greatest(s.a, s.b))) <= 4 AS is_short,
        len(list_filter(games, LAMBDA s: s.a > s.b)) AS sets_a,
        len(list_filter(games, LAMBDA s: s.b > s.a)) AS sets_b
    FROM listed
)

SELECT
    * EXCLUDE (games, is_short, sets_a, sets_b),
    coalesce(
        sets_a <> sets_b AND greatest(sets_a, sets_b) >= 2
        AND (
            games[-1].is_tie_break OR greatest(games[-1].a, games[-1].b) >= CASE WHEN is_short THEN 4 ELSE 6 END
            AND (
                abs(games[-1].a - games[-1].b) >= 2
                OR greatest(games[-1].a, games[-1].b) >= CASE WHEN is_short THEN 4 ELSE 7 END
            )
        ),
        false
    ) AS is_finished
FROM counted
