-- Plays of games with an official report. The number of a report is that of the game in its season, which its
-- day names. A player is who wore the number in the box of the game; of a face-off it is who won it. Goals
-- are counted up to the shoot-out.
WITH reports AS (
    SELECT
        *,
        CAST(year(played_on) - CASE WHEN month(played_on) < 7 THEN 1 ELSE 0 END AS VARCHAR) || report AS game_id
    FROM nhl_html_reports_plays
),

read AS (
    SELECT
        r.*,
        coalesce(k.kind, lower(r.code)) AS kind,
        g.home_abbr,
        g.away_abbr,
        coalesce(s.abbr, replace(regexp_extract(r.text, '^([A-Z.]{3}) ', 1), '.', '')) AS named
    FROM reports AS r
    LEFT JOIN nhl_play_codes AS k USING (code)
    LEFT JOIN nhl_games AS g ON g.game_id = r.game_id
    LEFT JOIN nhl_spellings AS s ON s.spelling = replace(regexp_extract(r.text, '^([A-Z.]{3}) ', 1), '.', '')
),

numbered AS (
    SELECT
        *,
        CASE WHEN named IN (home_abbr, away_abbr) THEN named END AS team_abbr,
        TRY_CAST(nullif(
            regexp_extract(text, CASE kind WHEN 'faceoff' THEN named || ' #([0-9]{1,2})' ELSE '#([0-9]{1,2})' END, 1),
            ''
        ) AS INTEGER) AS number,
        regexp_extract_all(split_part(text, 'Assist', 2), '#([0-9]{1,2})', 1) AS assists
    FROM read
),

counted AS (
    SELECT
        *,
        kind = 'goal' AND period < 5 AS is_goal,
        CAST(count(*) FILTER (kind = 'goal' AND period < 5 AND team_abbr = home_abbr) OVER so_far AS INTEGER)
            AS home_goals,
        CAST(count(*) FILTER (kind = 'goal' AND period < 5 AND team_abbr = away_abbr) OVER so_far AS INTEGER)
            AS away_goals
    FROM numbered
    WINDOW so_far AS (PARTITION BY game_id ORDER BY seq ROWS UNBOUNDED PRECEDING)
)

SELECT
    c.game_id,
    c.seq,
    c.period,
    CASE WHEN c.period <= 3 THEN 'REG' WHEN c.period >= 5 AND left(c.report, 2) = '02' THEN 'SO' ELSE 'OT' END
        AS period_type,
    c.clock_secs,
    c.kind,
    c.team_abbr,
    p.player_id,
    p.player_name,
    a.player_id AS assist1_id,
    a.player_name AS assist1_name,
    b.player_id AS assist2_id,
    b.player_name AS assist2_name,
    lower(c.strength) AS strength,
    CASE
        WHEN c.kind IN ('goal', 'shot', 'missed_shot', 'blocked_shot')
            THEN nullif(lower(trim(split_part(c.text, ',', 2))), '')
    END AS shot_type,
    CASE WHEN c.kind = 'penalty' THEN TRY_CAST(nullif(
        regexp_extract(c.text, '\(([0-9]+) min\)', 1),
        ''
    ) AS INTEGER) END AS penalty_mins,
    CASE regexp_extract(c.text, '(Off|Def|Neu)\. Zone', 1)
        WHEN 'Off' THEN 'offensive' WHEN 'Def' THEN 'defensive' WHEN 'Neu' THEN 'neutral'
    END AS zone,
    TRY_CAST(nullif(regexp_extract(c.text, '([0-9]+) ft\.', 1), '') AS INTEGER) AS distance_ft,
    c.text,
    CASE WHEN c.is_goal THEN c.home_goals END AS home_score,
    CASE WHEN c.is_goal THEN c.away_goals END AS away_score
FROM counted AS c
LEFT JOIN nhl_jersey_numbers AS p ON (p.game_id, p.team_abbr, p.sweater_number) = (c.game_id, c.team_abbr, c.number)
LEFT JOIN nhl_jersey_numbers AS a
    ON
        (a.game_id, a.team_abbr) = (c.game_id, c.team_abbr)
        AND a.sweater_number = TRY_CAST(c.assists[1] AS INTEGER)
LEFT JOIN nhl_jersey_numbers
    AS b ON (b.game_id, b.team_abbr) = (c.game_id, c.team_abbr)
AND b.sweater_number = TRY_CAST(c.assists[2] AS INTEGER)
