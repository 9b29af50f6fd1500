-- Plays of a game in order. The kind follows from the statistic ids of the play, of which a try, a kick or a
-- sack counts before the run or pass in it. The score is the one after the play; a try's points stand with
-- its touchdown.
WITH stats AS (
    SELECT
        s.game_id,
        s.drive,
        s.play,
        s.sequence,
        s.player_id,
        s.player_name,
        s.stat_id,
        i.stat,
        i.kind,
        CAST(s.yards AS INTEGER) AS yards,
        n.team_id
    FROM nfl_gamecenter_play_stats AS s
    LEFT JOIN nfl_stat_ids AS i ON CAST(i.stat_id AS INTEGER) = s.stat_id
    LEFT JOIN nfl_spellings AS n ON n.spelling = s.team_abbr
),

told AS (
    SELECT
        game_id,
        drive,
        play,
        min(CASE kind
            WHEN 'two_point_try' THEN 1 WHEN 'extra_point' THEN 2 WHEN 'field_goal' THEN 3 WHEN 'punt' THEN 4
            WHEN 'kickoff' THEN 5 WHEN 'sack' THEN 6 WHEN 'pass' THEN 7 WHEN 'run' THEN 8 WHEN 'penalty' THEN 9
            WHEN 'timeout' THEN 10
        END) AS kind_order,
        sum(yards) FILTER (stat_id IN (15, 16, 20)) AS pass_yards,
        sum(yards) FILTER (stat_id IN (10, 11, 12, 13)) AS run_yards,
        max(yards) FILTER (stat_id IN (69, 70, 71)) AS kick_yards,
        max(yards) FILTER (stat_id IN (29, 31, 32)) AS punt_yards,
        max(yards) FILTER (stat_id IN (41, 43, 44)) AS kickoff_yards,
        bool_or(stat_id IN (15, 16)) AS is_complete,
        bool_or(stat_id IN (19)) AS is_intercepted,
        bool_or(stat_id = 106) AS is_fumble_lost,
        list(
            { player_id: player_id, name: player_name, team: team_id, stat: stat, yards: yards }
            ORDER BY sequence, player_id, stat_id
        ) FILTER (player_id <> '0' AND stat IS NOT NULL
        ) AS players
    FROM stats GROUP BY game_id, drive, play
),

kinds AS (
    SELECT
        *,
        list_value(
            'two_point_try', 'extra_point', 'field_goal', 'punt', 'kickoff', 'sack', 'pass', 'run', 'penalty',
            'timeout'
        )[kind_order
        ] AS kind
    FROM told
),

scored AS (
    SELECT
        p.*,
        n.team_id,
        coalesce(k.kind, CASE p.note WHEN 'TIMEOUT' THEN 'timeout' WHEN 'PENALTY' THEN 'penalty' ELSE 'other' END)
            AS kind,
        CASE k.kind
            WHEN 'pass' THEN coalesce(k.pass_yards, 0) WHEN 'sack' THEN k.pass_yards WHEN 'run' THEN k.run_yards
            WHEN 'field_goal' THEN k.kick_yards WHEN 'punt' THEN k.punt_yards
            WHEN 'kickoff' THEN k.kickoff_yards
        END AS yards,
        k.is_complete,
        k.is_intercepted,
        k.is_fumble_lost,
        k.players,
        s.home_score,
        s.away_score
    FROM nfl_gamecenter_plays AS p
    LEFT JOIN kinds AS k USING (game_id, drive, play)
    LEFT JOIN nfl_scoring AS s USING (game_id, play)
    LEFT JOIN nfl_spellings AS n ON n.spelling = p.team_abbr
)

SELECT
    s.game_id,
    g.market_id,
    CAST(row_number() OVER game AS INTEGER) AS seq,
    s.play,
    s.drive,
    s.quarter,
    s.clock_secs,
    nullif(s.down, 0) AS down,
    CASE WHEN s.down > 0 THEN s.to_go END AS to_go,
    s.yard_line,
    CASE s.team_id WHEN g.home_id THEN g.home_abbr WHEN g.away_id THEN g.away_abbr END AS team_abbr,
    s.kind,
    s.yards,
    CASE WHEN s.kind = 'pass' THEN coalesce(s.is_complete, false) END AS is_complete,
    coalesce(s.is_intercepted, false) AS is_intercepted,
    coalesce(s.is_fumble_lost, false) AS is_fumble_lost,
    coalesce(s.is_scoring, false) AS is_scoring,
    s.players,
    s.text,
    coalesce(max(s.home_score) OVER game, 0) AS home_score,
    coalesce(max(s.away_score) OVER game, 0) AS away_score
FROM scored AS s JOIN nfl_games AS g USING (game_id)
WINDOW game AS (PARTITION BY s.game_id ORDER BY s.play, s.drive)
