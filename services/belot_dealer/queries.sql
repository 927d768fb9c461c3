-- name: keep_chain
INSERT INTO chains (chain_hash, beacon_id, public_key, period_seconds, genesis_time, group_hash, scheme)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (chain_hash) DO NOTHING;

-- name: keep_signing_key
INSERT INTO signing_keys (key_id, public_key) VALUES ($1, $2)
ON CONFLICT (key_id) DO NOTHING;

-- name: list_signing_keys
SELECT key_id, public_key FROM signing_keys ORDER BY first_used_at DESC, key_id;

-- name: read_clock
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms;

-- name: create_match
-- The match and its first event, or nothing when the match exists, or when the root of its day $11 has been made.
WITH created AS (
    INSERT INTO matches (
        match_id, version, chain_hash, sealed_seed, seal_key_id, seeds, seed_times_ms, table_id, public_table
    )
    SELECT
        $1, 1, $2, $3, $4, array_fill(NULL::bytea, ARRAY[$5::integer]), array_fill(NULL::bigint, ARRAY[$5::integer]),
        $9, $10
    WHERE NOT EXISTS (SELECT FROM daily_roots d WHERE d.day >= $11)
    ON CONFLICT (match_id) DO NOTHING
    RETURNING match_id
)
INSERT INTO transcript_events (match_id, sequence, octets, signature, key_id)
SELECT match_id, 0, $6, $7, $8 FROM created
RETURNING sequence;

-- name: load_match
-- One snapshot of everything a step is decided on, with the database's clock.
SELECT
    m.sealed_seed, m.seal_key_id, m.seeds, m.seed_times_ms,
    c.chain_hash, c.beacon_id, c.public_key, c.period_seconds, c.genesis_time, c.group_hash, c.scheme,
    e.octets, e.signatures, e.key_ids,
    (SELECT coalesce(max(b.round), 0) FROM beacons b WHERE b.chain_hash = m.chain_hash) AS highest_round,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms
FROM matches m
JOIN chains c ON c.chain_hash = m.chain_hash
CROSS JOIN LATERAL (
    SELECT
        array_agg(t.octets ORDER BY t.sequence) AS octets,
        array_agg(t.signature ORDER BY t.sequence) AS signatures,
        array_agg(t.key_id ORDER BY t.sequence) AS key_ids
    FROM transcript_events t WHERE t.match_id = m.match_id
) e
WHERE m.match_id = $1;

-- name: take_seed
-- First write wins. The row lock orders it against other seeds and against the closing; the guards are checked again
-- after waiting for that lock.
UPDATE matches SET seeds[$2::integer + 1] = $3, seed_times_ms[$2::integer + 1] = $4
WHERE match_id = $1 AND version = 1 AND seeds[$2::integer + 1] IS NULL
RETURNING version;

-- name: append_events
-- The next events of a transcript, or nothing when it has grown since it was read.
WITH guarded AS (
    UPDATE matches SET version = version + cardinality($3::bytea[])
    WHERE match_id = $1 AND version = $2
    RETURNING match_id
)
INSERT INTO transcript_events (match_id, sequence, octets, signature, key_id)
SELECT g.match_id, $2 + n.ordinal::integer - 1, n.octets, n.signature, n.key_id
FROM guarded g
CROSS JOIN unnest($3::bytea[], $4::bytea[], $5::text[]) WITH ORDINALITY AS n (octets, signature, key_id, ordinal)
RETURNING sequence;

-- name: close_seeds
-- SEEDS and ROUND_CHOSEN, or nothing when seeds came, the match moved on, or a higher round was verified since the read.
WITH guarded AS (
    UPDATE matches SET version = 3
    WHERE match_id = $1 AND version = 1 AND seeds IS NOT DISTINCT FROM $2::bytea[]
        AND NOT EXISTS (SELECT FROM beacons b WHERE b.chain_hash = matches.chain_hash AND b.round > $3)
    RETURNING match_id
)
INSERT INTO transcript_events (match_id, sequence, octets, signature, key_id)
SELECT g.match_id, n.ordinal::integer, n.octets, n.signature, n.key_id
FROM guarded g
CROSS JOIN unnest($4::bytea[], $5::bytea[], $6::text[]) WITH ORDINALITY AS n (octets, signature, key_id, ordinal)
RETURNING sequence;

-- name: keep_beacon
INSERT INTO beacons (chain_hash, round, signature) VALUES ($1, $2, $3)
ON CONFLICT (chain_hash, round) DO NOTHING;

-- name: find_beacon
SELECT signature FROM beacons WHERE chain_hash = $1 AND round = $2;

-- name: forget_beacons
-- Transcripts keep the beacons they used; here only the recent ones are of use, and always the highest.
DELETE FROM beacons b
WHERE b.chain_hash = $1 AND b.verified_at < now() - interval '1 day'
    AND b.round < (SELECT max(h.round) FROM beacons h WHERE h.chain_hash = $1);
