-- No image is served without licence and credit; what is not served says why, and is nobody's portrait.
SELECT
    image_id,
    license,
    attribution_text,
    is_served,
    not_served_reason,
    is_primary
FROM images
WHERE
    (is_served AND (license IS NULL OR attribution_text IS NULL OR image_url IS NULL))
    OR (is_served = (not_served_reason IS NOT NULL))
    OR (is_primary AND (NOT is_served OR fighter_id IS NULL))
