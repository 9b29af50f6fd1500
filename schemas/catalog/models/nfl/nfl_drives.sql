-- Drives of a game in order. Points are those of scores in its plays, by either team.
WITH owned AS (
    SELECT
        s.game_id,
        p.drive,
        s.points,
        s.team_abbr
    FROM nfl_scoring AS s JOIN nfl_gamecenter_plays AS p ON (p.game_id, p.play) = (s.game_id, s.play)
)

SELECT
    d.game_id,
    g.market_id,
    d.drive AS n,
    CASE t.team_id WHEN g.home_id THEN g.home_abbr WHEN g.away_id THEN g.away_abbr END AS team_abbr,
    d.start_quarter,
    d.start_clock_secs,
    d.start_yard_line,
    d.end_quarter,
    d.end_clock_secs,
    d.end_yard_line,
    d.plays,
    d.yards,
    d.penalty_yards,
    d.first_downs,
    d.secs,
    d.result,
    coalesce((
        SELECT sum(o.points)
        FROM
            owned AS o WHERE (o.game_id, o.drive) = (d.game_id, d.drive)
        AND o.team_abbr = CASE t.team_id WHEN g.home_id THEN g.home_abbr ELSE g.away_abbr END
    ), 0) AS points,
    coalesce((
        SELECT sum(o.points)
        FROM
            owned AS o WHERE (o.game_id, o.drive) = (d.game_id, d.drive)
        AND o.team_abbr <> CASE t.team_id WHEN g.home_id THEN g.home_abbr ELSE g.away_abbr END
    ), 0) AS points_against
FROM nfl_gamecenter_drives AS d
JOIN nfl_games AS g USING (game_id)
LEFT JOIN nfl_spellings AS t ON t.spelling = d.team_abbr
