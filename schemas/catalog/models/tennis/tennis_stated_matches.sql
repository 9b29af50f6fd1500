-- Matches of both tours as the main sources state them. Ids of players and events repeat between the tours, so that ours begin
-- with the tour. What an event's draw says of its length: Grand Slams, draws of more than 64, and draws that are not stated last
-- into a second week.
WITH stated AS (
SELECT 'atp' AS tour,
       event_ref, event_name, surface, draw_size, level, event_week, match_number, winner_ref, winner_seed, winner_entry,
       winner_name, winner_country, winner_rank, winner_rank_points, loser_ref, loser_seed, loser_entry, loser_name,
       loser_country, loser_rank, loser_rank_points, score, best_of, round, minutes, winner_aces, winner_double_faults,
       winner_serve_points, winner_first_in, winner_first_won, winner_second_won, winner_service_games,
       winner_break_points_saved, winner_break_points_faced, loser_aces, loser_double_faults, loser_serve_points,
       loser_first_in, loser_first_won, loser_second_won, loser_service_games, loser_break_points_saved,
       loser_break_points_faced
FROM tennis_atp_matches_matches
UNION ALL
SELECT 'wta',
       event_ref, event_name, surface, draw_size, level, event_week, match_number, winner_ref, winner_seed, winner_entry,
       winner_name, winner_country, winner_rank, winner_rank_points, loser_ref, loser_seed, loser_entry, loser_name,
       loser_country, loser_rank, loser_rank_points, score, best_of, round, minutes, winner_aces, winner_double_faults,
       winner_serve_points, winner_first_in, winner_first_won, winner_second_won, winner_service_games,
       winner_break_points_saved, winner_break_points_faced, loser_aces, loser_double_faults, loser_serve_points,
       loser_first_in, loser_first_won, loser_second_won, loser_service_games, loser_break_points_saved,
       loser_break_points_faced
FROM tennis_wta_matches_matches
)
SELECT tour || '-' || event_ref || '-' || match_number AS match_id, left(event_ref, 4) AS season, *,
       count(*) OVER (PARTITION BY tour, event_ref) AS event_matches,
       level <> 'D' AND (level = 'G' OR coalesce(nullif(draw_size, 0), 128) > 64
                         OR bool_or(round = 'R128') OVER (PARTITION BY tour, event_ref)) AS lasts_two_weeks
FROM stated
