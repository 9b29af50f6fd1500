-- Matches of clubs as `leagues` lists them, with competition, season and phase. Competition and season stand
-- in the file's name alone (`2024-25-en.1`). The phase is read from stage and round: knock-out rounds and
-- play-offs stand in the files of leagues and do not count for their tables; groups are not told apart, so
-- that they have none either. The country of a league that we do not know is the first part of its code,
-- which keeps its clubs apart from others.
WITH split AS (
    SELECT
        *,
        regexp_extract(file_stem, '^(\d{4}-\d{2}|\d{4})-(.+)$', 1) AS season,
        regexp_extract(file_stem, '^(\d{4}-\d{2}|\d{4})-(.+)$', 2) AS code,
        lower(concat_ws(' ', stage, round)) AS words
    FROM soccer_leagues_matches
)

SELECT
    s.file,
    s.line,
    s.season,
    s.code,
    coalesce(c.slug, replace(s.code, '.', '-')) AS competition,
    coalesce(c.name, nullif(regexp_replace(s.title, '\s+\d{4}([/-]\d{2,4})?$', ''), ''), s.code) AS competition_name,
    coalesce(c.country, n.code, CASE WHEN regexp_matches(s.code, '^[a-z]+\.\d+$') THEN upper(split_part(
        s.code,
        '.', 1
    )) END) AS country,
    coalesce(c.tie_break, 'goal_difference') AS tie_break,
    CASE WHEN regexp_matches(
        s.words,
        'final|play-?\s?off|knockout|round of|quarter|semi|promotion|relegation|barrage'
    ) THEN 'knockout'
    WHEN regexp_matches(s.words, 'qualif|preliminary') THEN 'qualifying'
    WHEN regexp_matches(s.words, '^group') OR s.group_name IS NOT NULL THEN 'group' ELSE 'regular' END AS phase,
    s.round,
    s.match_date,
    s.kick_off,
    s.status,
    s.home_name,
    s.away_name,
    s.home_ft,
    s.away_ft,
    s.home_ht,
    s.away_ht,
    s.home_et,
    s.away_et,
    s.home_penalties,
    s.away_penalties
FROM split AS s
LEFT JOIN soccer_competitions AS c ON c.code = s.code
LEFT JOIN soccer_countries AS n ON n.league_code = split_part(s.code, '.', 1)
WHERE s.code <> ''
