-- Form is of the days that are captured: whoever has a version came to bat in the days before it.
SELECT
    player_id,
    valid_from
FROM mlb_minor_form WHERE last14d_appearances = 0 OR last50_appearances > 50
