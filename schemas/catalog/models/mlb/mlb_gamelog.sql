-- Games of players by role, each with his line.
WITH lines AS (
    SELECT
        b.player_id,
        b.game_id,
        'batting' AS role,
        g.season,
        g.league_date,
        b.team_id,
        CASE WHEN b.is_home THEN g.away_id ELSE g.home_id END AS opponent_id,
        CASE WHEN b.is_home THEN g.away_abbr ELSE g.home_abbr END AS opponent_abbr,
        b.is_home,
        b.is_starter,
        replace(replace(CAST(struct_pack(
            slot := b.slot,
            plate_appearances := b.plate_appearances, at_bats := b.at_bats, runs := b.runs, hits := b.hits,
            doubles := b.doubles, triples := b.triples, home_runs := b.home_runs, driven_in := b.driven_in,
            walks := b.walks, intentional_walks := b.intentional_walks, strikeouts := b.strikeouts,
            hit_by_pitch := b.hit_by_pitch, sacrifice_bunts := b.sacrifice_bunts, sacrifice_flies := b.sacrifice_flies,
            double_play_grounders := b.double_play_grounders, stolen_bases := b.stolen_bases,
            caught_stealing := b.caught_stealing
        ) AS VARCHAR), '''', '"'), 'NULL', 'null') AS line,
        b.positions,
        CAST(NULL AS VARCHAR) AS decision,
        b.is_walked
    FROM mlb_batting_lines AS b JOIN mlb_games AS g USING (game_id)
    UNION ALL
    SELECT
        p.player_id,
        p.game_id,
        'pitching',
        g.season,
        g.league_date,
        p.team_id,
        CASE WHEN p.is_home THEN g.away_id ELSE g.home_id END,
        CASE WHEN p.is_home THEN g.away_abbr ELSE g.home_abbr END,
        p.is_home,
        p.is_starter,
        replace(replace(CAST(struct_pack(
            seq := p.seq,
            batters_faced := p.batters_faced, outs := p.outs, hits := p.hits, runs := p.runs,
            earned_runs := p.earned_runs, home_runs := p.home_runs, walks := p.walks,
            intentional_walks := p.intentional_walks, strikeouts := p.strikeouts, hit_by_pitch := p.hit_by_pitch,
            wild_pitches := p.wild_pitches, balks := p.balks, pitches := p.pitches
        ) AS VARCHAR), '''', '"'),
        'NULL', 'null'),
        NULL,
        p.decision,
        p.is_walked
    FROM mlb_pitching_lines AS p JOIN mlb_games AS g USING (game_id)
    UNION ALL
    -- Pitchers' lines without runs, and without the club.
    SELECT
        l.player_id,
        l.game_id,
        'pitching',
        l.season,
        l.league_date,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        replace(
            replace(CAST(struct_pack(
                batters_faced := l.batters_faced, outs := CAST(round(3 * l.innings) AS INTEGER),
                hits := l.hits,
                home_runs := l.home_runs, walks := l.walks, strikeouts := l.strikeouts
            ) AS VARCHAR), '''', '"'), 'NULL', 'null'
        ),
        NULL,
        NULL,
        false
    FROM mlb_props_batter_pitcher_logs AS l ANTI JOIN mlb_pitching_lines AS p USING (player_id, game_id)
),

refs AS (
    SELECT
        player_id,
        min(retro_id) AS retro_id
    FROM mlb_player_refs GROUP BY player_id
)

SELECT
    l.player_id,
    l.game_id,
    l.role,
    r.retro_id,
    l.season,
    l.league_date,
    l.team_id,
    l.opponent_id,
    l.opponent_abbr,
    l.is_home,
    l.is_starter,
    l.positions,
    l.decision,
    l.line,
    l.is_walked
FROM lines AS l LEFT JOIN refs AS r USING (player_id)
