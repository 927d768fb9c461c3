-- name: keep_result
-- A result, unless its match has one already; then nothing comes back, whoever wrote it and however late he commits.
INSERT INTO inbox (match_id, payload, fingerprint, ruleset, seats, pack, rated, received_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
ON CONFLICT (match_id) DO NOTHING
RETURNING received_ms;

-- name: find_result
SELECT fingerprint, received_ms FROM inbox WHERE match_id = $1;

-- name: list_results
-- Latest first, after the key ($1, $2).
SELECT match_id, payload, received_ms
FROM inbox
WHERE (received_ms, match_id) < ($1, $2)
ORDER BY received_ms DESC, match_id DESC
LIMIT $3;
