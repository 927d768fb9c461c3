-- name: keep_dispute
-- The verdict, unless this request has one already; then nothing comes back.
INSERT INTO disputes (
    dispute_id, player_id, request_id, fingerprint, ruleset_hash, ruleset_json, trump, played, hand, move, treatment,
    expected, comment, legal, clause, legal_cards, allowed_by, ruled_ms
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
ON CONFLICT (dispute_id) DO NOTHING
RETURNING dispute_id;

-- name: find_dispute
SELECT
    dispute_id, player_id, request_id, fingerprint, ruleset_hash, ruleset_json, trump, played, hand, move, treatment,
    expected, comment, legal, clause, legal_cards, allowed_by, ruled_ms
FROM disputes
WHERE dispute_id = $1;
