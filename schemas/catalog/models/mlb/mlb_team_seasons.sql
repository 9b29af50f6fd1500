-- Clubs of seasons with their lines as stated.
WITH batted AS (
    SELECT
        season,
        team_ref,
        1 AS preference,
        replace(replace(CAST(struct_pack(
            games := bat_games,
            plate_appearances := bat_plate_appearances, at_bats := bat_at_bats, runs := bat_runs, hits := bat_hits,
            doubles := bat_doubles, triples := bat_triples, home_runs := bat_home_runs, driven_in := bat_driven_in,
            walks := bat_walks, intentional_walks := bat_intentional_walks, strikeouts := bat_strikeouts,
            hit_by_pitch := bat_hit_by_pitch,
            sacrifice_bunts := bat_sacrifice_bunts,
            sacrifice_flies := bat_sacrifice_flies,
            double_play_grounders := bat_double_play_grounders, stolen_bases := bat_stolen_bases,
            caught_stealing := bat_caught_stealing,
            avg := bat_avg, obp := bat_obp, slg := bat_slg, ops := bat_ops
        ) AS VARCHAR), '''', '"'), 'NULL', 'null')
            AS batting
    FROM mlb_statsapi_season_2025_teams
    UNION ALL
    SELECT
        season,
        team_ref,
        2,
        replace(replace(CAST(struct_pack(
            games := bat_games,
            plate_appearances := bat_plate_appearances, at_bats := bat_at_bats, runs := bat_runs, hits := bat_hits,
            doubles := bat_doubles, triples := bat_triples, home_runs := bat_home_runs, driven_in := bat_driven_in,
            walks := bat_walks, intentional_walks := bat_intentional_walks, strikeouts := bat_strikeouts,
            hit_by_pitch := bat_hit_by_pitch,
            sacrifice_bunts := bat_sacrifice_bunts,
            sacrifice_flies := bat_sacrifice_flies,
            double_play_grounders := bat_double_play_grounders, stolen_bases := bat_stolen_bases,
            caught_stealing := bat_caught_stealing,
            avg := bat_avg, obp := bat_obp, slg := bat_slg, ops := bat_ops
        ) AS VARCHAR), '''', '"'), 'NULL', 'null')
    FROM mlb_statsapi_recorded_team_batting
),

best AS (
    SELECT
        season,
        team_ref,
        batting
    FROM batted
    QUALIFY row_number() OVER (PARTITION BY season, team_ref ORDER BY preference) = 1
),

pitched AS (
    SELECT
        season,
        team_ref,
        replace(replace(CAST(struct_pack(
            games := pitch_games, wins := pitch_wins, losses := pitch_losses, saves := pitch_saves,
            batters_faced := pitch_batters_faced, outs := pitch_outs, hits := pitch_hits, runs := pitch_runs,
            earned_runs := pitch_earned_runs, home_runs := pitch_home_runs, walks := pitch_walks,
            intentional_walks := pitch_intentional_walks,
            strikeouts := pitch_strikeouts,
            hit_by_pitch := pitch_hit_by_pitch,
            wild_pitches := pitch_wild_pitches, balks := pitch_balks,
            era := pitch_era, whip := pitch_whip
        ) AS VARCHAR), '''', '"'), 'NULL', 'null') AS pitching,
        replace(replace(CAST(struct_pack(
            errors := field_errors, double_plays := field_double_plays,
            fielding_share := field_share
        ) AS VARCHAR), '''', '"'), 'NULL', 'null') AS fielding
    FROM mlb_statsapi_season_2025_teams
)

SELECT
    t.team_id,
    t.season,
    t.abbr,
    t.name,
    t.league,
    t.division,
    t.venue,
    b.batting,
    p.pitching,
    p.fielding,
    t.retro_code,
    t.espn_abbr,
    t.other_abbr
FROM mlb_teams AS t LEFT JOIN best AS b ON (b.season, b.team_ref) = (t.season, t.team_id)
LEFT JOIN pitched AS p ON (p.season, p.team_ref) = (t.season, t.team_id)
