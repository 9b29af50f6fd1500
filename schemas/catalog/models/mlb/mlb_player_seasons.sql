-- Lines of players by season: as stated where a source states them, else the sum of their games. Who never
-- came to bat and pitched has no line at bat. Rates are rounded half up in whole numbers, as the league
-- prints them, and OPS is the sum of the two that are shown.
WITH stated AS (
    -- Who changed clubs may have his lines in two rows, one at bat and one as a pitcher.
    SELECT
        coalesce(b.season, p.season) AS season,
        coalesce(b.player_id, p.player_id) AS player_id,
        coalesce(b.player_name, p.player_name) AS player_name,
        CASE WHEN p.games > coalesce(b.games, 0) THEN p.team_id ELSE b.team_id END AS team_id,
        CASE WHEN p.games > coalesce(b.games, 0) THEN p.team_name ELSE b.team_name END AS team_name,
        b.batting,
        p.pitching
    FROM (SELECT
        season,
        player_ref AS player_id,
        player_name,
        team_ref AS team_id,
        team_name,
        bat_games AS games,
        replace(replace(CAST(struct_pack(
            games := bat_games, plate_appearances := bat_plate_appearances, at_bats := bat_at_bats, runs := bat_runs,
            hits := bat_hits, doubles := bat_doubles, triples := bat_triples, home_runs := bat_home_runs,
            driven_in := bat_driven_in, walks := bat_walks, intentional_walks := bat_intentional_walks,
            strikeouts := bat_strikeouts, hit_by_pitch := bat_hit_by_pitch, sacrifice_bunts := bat_sacrifice_bunts,
            sacrifice_flies := bat_sacrifice_flies, double_play_grounders := bat_double_play_grounders,
            stolen_bases := bat_stolen_bases, caught_stealing := bat_caught_stealing,
            avg := bat_avg, obp := bat_obp, slg := bat_slg, ops := bat_ops
        ) AS VARCHAR), '''', '"'), 'NULL', 'null') AS batting
    FROM mlb_statsapi_season_2025_players WHERE bat_games > 0 AND (bat_plate_appearances > 0 OR pitch_games IS NULL)
    QUALIFY row_number() OVER (
        PARTITION BY season, player_ref
        ORDER BY bat_plate_appearances DESC NULLS LAST, team_ref
    ) = 1) AS b
    FULL JOIN (SELECT
        season,
        player_ref AS player_id,
        player_name,
        team_ref AS team_id,
        team_name,
        pitch_games AS games,
        replace(replace(CAST(struct_pack(
            games := pitch_games, games_started := pitch_games_started, wins := pitch_wins, losses := pitch_losses,
            saves := pitch_saves,
            batters_faced := pitch_batters_faced, outs := pitch_outs, hits := pitch_hits, runs := pitch_runs,
            earned_runs := pitch_earned_runs, home_runs := pitch_home_runs, walks := pitch_walks,
            intentional_walks := pitch_intentional_walks, strikeouts := pitch_strikeouts,
            hit_by_pitch := pitch_hit_by_pitch, wild_pitches := pitch_wild_pitches, balks := pitch_balks,
            era := pitch_era, whip := pitch_whip
        ) AS VARCHAR), '''', '"'), 'NULL', 'null') AS pitching
    FROM mlb_statsapi_season_2025_players WHERE pitch_games > 0
    QUALIFY row_number() OVER (
        PARTITION BY season, player_ref
        ORDER BY pitch_batters_faced DESC NULLS LAST, team_ref
    ) = 1) AS p
        ON (b.season, b.player_id) = (p.season, p.player_id)
),

batting AS (
    SELECT
        g.season,
        b.player_id,
        max(b.player_name) AS player_name,
        max_by(b.team_id, (g.league_date, g.game_id)) AS team_id,
        count(*) AS games,
        sum(b.plate_appearances) AS plate_appearances,
        sum(b.at_bats) AS at_bats,
        sum(b.runs) AS runs,
        sum(b.hits) AS hits,
        sum(b.doubles) AS doubles,
        sum(b.triples) AS triples,
        sum(b.home_runs) AS home_runs,
        sum(b.driven_in) AS driven_in,
        sum(b.walks) AS walks,
        sum(b.intentional_walks) AS intentional_walks,
        sum(b.strikeouts) AS strikeouts,
        sum(b.hit_by_pitch) AS hit_by_pitch,
        sum(b.sacrifice_bunts) AS sacrifice_bunts,
        sum(b.sacrifice_flies) AS sacrifice_flies,
        sum(b.double_play_grounders) AS double_play_grounders,
        sum(b.stolen_bases) AS stolen_bases,
        sum(b.caught_stealing) AS caught_stealing
    FROM mlb_batting_lines AS b JOIN mlb_games AS g USING (game_id) WHERE b.is_walked AND g.phase = 'regular'
    GROUP BY g.season, b.player_id
),

pitching AS (
    SELECT
        g.season,
        p.player_id,
        max(p.player_name) AS player_name,
        max_by(p.team_id, (g.league_date, g.game_id)) AS team_id,
        count(*) AS games,
        count(*) FILTER (p.is_starter) AS games_started,
        count(*) FILTER (p.decision = 'W') AS wins,
        count(*) FILTER (p.decision = 'L') AS losses,
        count(*) FILTER (p.decision = 'S') AS saves,
        sum(p.batters_faced) AS batters_faced,
        sum(p.outs) AS outs,
        sum(p.hits) AS hits,
        sum(p.runs) AS runs,
        sum(p.earned_runs) AS earned_runs,
        sum(p.home_runs) AS home_runs,
        sum(p.walks) AS walks,
        sum(p.intentional_walks) AS intentional_walks,
        sum(p.strikeouts) AS strikeouts,
        sum(p.hit_by_pitch) AS hit_by_pitch,
        sum(p.wild_pitches) AS wild_pitches,
        sum(p.balks) AS balks
    FROM mlb_pitching_lines AS p JOIN mlb_games AS g USING (game_id) WHERE p.is_walked AND g.phase = 'regular'
    GROUP BY g.season, p.player_id
),

at_bat AS (
    SELECT
        *,
        CAST(hits + walks + hit_by_pitch AS BIGINT) AS reached,
        CAST(at_bats + walks + hit_by_pitch + sacrifice_flies AS BIGINT) AS chances,
        CAST(hits + doubles + 2 * triples + 3 * home_runs AS BIGINT) AS total_bases,
        (2000 * CAST(hits AS BIGINT) + at_bats) // nullif(2 * at_bats, 0) AS avg_e3,
        (2000 * reached + chances) // nullif(2 * chances, 0) AS obp_e3,
        (2000 * total_bases + at_bats) // nullif(2 * at_bats, 0) AS slg_e3
    FROM batting
),

summed AS (
    SELECT
        coalesce(b.season, p.season) AS season,
        coalesce(b.player_id, p.player_id) AS player_id,
        coalesce(b.player_name, p.player_name) AS player_name,
        coalesce(b.team_id, p.team_id) AS team_id,
        CASE WHEN b.games IS NOT NULL THEN replace(replace(CAST(struct_pack(
            games := b.games, plate_appearances := b.plate_appearances, at_bats := b.at_bats, runs := b.runs,
            hits := b.hits, doubles := b.doubles, triples := b.triples, home_runs := b.home_runs,
            driven_in := b.driven_in, walks := b.walks, intentional_walks := b.intentional_walks,
            strikeouts := b.strikeouts, hit_by_pitch := b.hit_by_pitch, sacrifice_bunts := b.sacrifice_bunts,
            sacrifice_flies := b.sacrifice_flies, double_play_grounders := b.double_play_grounders,
            stolen_bases := b.stolen_bases, caught_stealing := b.caught_stealing,
            avg := b.avg_e3 / 1000.0, obp := b.obp_e3 / 1000.0, slg := b.slg_e3 / 1000.0,
            ops := (b.obp_e3 + b.slg_e3) / 1000.0
        ) AS VARCHAR), '''', '"'), 'NULL', 'null') END AS batting,
        CASE WHEN p.games IS NOT NULL THEN replace(replace(CAST(struct_pack(
            games := p.games, games_started := p.games_started, wins := p.wins, losses := p.losses, saves := p.saves,
            batters_faced := p.batters_faced, outs := p.outs, hits := p.hits, runs := p.runs,
            earned_runs := p.earned_runs, home_runs := p.home_runs, walks := p.walks,
            intentional_walks := p.intentional_walks, strikeouts := p.strikeouts, hit_by_pitch := p.hit_by_pitch,
            wild_pitches := p.wild_pitches, balks := p.balks,
            era := (200 * 27 * CAST(p.earned_runs AS BIGINT) + p.outs) // nullif(2 * p.outs, 0) / 100.0,
            whip := (200 * 3 * CAST(p.walks + p.hits AS BIGINT) + p.outs) // nullif(2 * p.outs, 0) / 100.0
        )
        AS VARCHAR), '''', '"'), 'NULL', 'null') END AS pitching
    FROM at_bat AS b FULL JOIN pitching AS p ON (b.season, b.player_id) = (p.season, p.player_id)
),

refs AS (
    SELECT
        player_id,
        min(retro_id) AS retro_id
    FROM mlb_player_refs GROUP BY player_id
),

lines AS (
    SELECT
        season,
        player_id,
        player_name,
        team_id,
        team_name,
        batting,
        pitching,
        false AS is_derived
    FROM stated
    UNION ALL
    SELECT
        s.season,
        s.player_id,
        s.player_name,
        s.team_id,
        t.name,
        s.batting,
        s.pitching,
        true
    FROM summed AS s LEFT JOIN mlb_teams AS t USING (season, team_id) ANTI JOIN stated USING (season, player_id)
)

SELECT
    l.player_id,
    r.retro_id,
    l.season,
    l.player_name,
    l.team_id,
    l.team_name,
    l.batting,
    l.pitching,
    l.is_derived
FROM lines AS l LEFT JOIN refs AS r USING (player_id)
