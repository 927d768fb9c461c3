-- name: list_commitments
-- By time and match id after the key ($1, $2); only those of the public table $3 unless that is empty.
SELECT f.match_id, f.table_id, f.public_table, f.key_id, f.opened_ms, f.opened, f.revealed, f.answer, f.reports
FROM match_fates f
WHERE (f.opened_ms, f.match_id) > ($1, $2) AND ($3::text = '' OR (f.public_table AND f.table_id = $3))
ORDER BY f.opened_ms, f.match_id
LIMIT $4;

-- name: list_leaves
-- All commitments that were issued from $1 to before $2 (unix ms), cut out of OPENED: after match id and recipe name.
SELECT
    o.match_id, o.time_ms,
    substring(o.octets FROM 72 + get_byte(o.octets, 24) + get_byte(o.octets, 70 + get_byte(o.octets, 24)) FOR 32)
        AS commitment
FROM transcript_events o
WHERE o.kind = 1 AND o.time_ms >= $1 AND o.time_ms < $2
ORDER BY o.time_ms, o.match_id;

-- name: next_root_day
-- The latest day with a root, its record, and the day of the first commitment ever.
SELECT d.day, d.octets, (SELECT min(o.time_ms) FROM transcript_events o WHERE o.kind = 1) AS first_ms
FROM (SELECT 1) one
LEFT JOIN LATERAL (SELECT day, octets FROM daily_roots ORDER BY day DESC LIMIT 1) d ON true;

-- name: keep_root
-- The first root of a day stands.
INSERT INTO daily_roots (day, octets, signature, key_id) VALUES ($1, $2, $3, $4)
ON CONFLICT (day) DO NOTHING;

-- name: list_roots
SELECT d.day, d.octets, d.signature, d.key_id FROM daily_roots d WHERE d.day < $1 ORDER BY d.day DESC LIMIT $2;

-- name: keep_beacon_receipt
INSERT INTO beacon_receipts (match_id, octets, signature, key_id) VALUES ($1, $2, $3, $4)
ON CONFLICT (match_id) DO NOTHING;

-- name: find_beacon_receipt
SELECT octets, signature, key_id FROM beacon_receipts WHERE match_id = $1;

-- name: keep_report
INSERT INTO fairness_reports (match_id, seat, request_id, finding, hand_number) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (match_id, seat) DO NOTHING;

-- name: find_report
SELECT request_id, finding, hand_number FROM fairness_reports WHERE match_id = $1 AND seat = $2;

-- name: count_by_key
SELECT
    f.key_id AS name, count(*) AS opened,
    count(*) FILTER (WHERE f.ending = 'finished') AS finished,
    count(*) FILTER (WHERE f.ending = 'abandoned') AS abandoned,
    count(*) FILTER (WHERE f.ending = 'cancelled') AS cancelled,
    count(*) FILTER (WHERE f.answer = 4) AS beacons,
    count(*) FILTER (WHERE f.answer = 5) AS fallbacks,
    coalesce(sum(f.reports), 0)::bigint AS reports
FROM match_fates f
GROUP BY f.key_id
ORDER BY f.key_id;

-- name: count_by_table
-- Public tables with the most matches that ended otherwise than by being finished, and the table $1.
SELECT
    f.table_id AS name, count(*) AS opened,
    count(*) FILTER (WHERE f.ending = 'finished') AS finished,
    count(*) FILTER (WHERE f.ending = 'abandoned') AS abandoned,
    count(*) FILTER (WHERE f.ending = 'cancelled') AS cancelled,
    count(*) FILTER (WHERE f.answer = 4) AS beacons,
    count(*) FILTER (WHERE f.answer = 5) AS fallbacks,
    coalesce(sum(f.reports), 0)::bigint AS reports
FROM match_fates f
WHERE f.public_table
GROUP BY f.table_id
HAVING f.table_id = $1 OR count(*) FILTER (WHERE f.ending IN ('abandoned', 'cancelled')) > 0
ORDER BY f.table_id = $1 DESC, count(*) FILTER (WHERE f.ending IN ('abandoned', 'cancelled')) DESC, f.table_id
LIMIT $2;

-- name: list_unrevealed
-- Matches that were opened before $1 (unix ms) and that nobody has ended.
SELECT m.match_id
FROM matches m
WHERE m.created_at < to_timestamp($1::double precision / 1000) AND NOT m.counted
    AND NOT EXISTS (SELECT FROM transcript_events r WHERE r.match_id = m.match_id AND r.kind = 7)
ORDER BY m.created_at
LIMIT $2;

-- name: list_sealed_otherwise
-- Seeds of matches that are not over, under another key than $1.
SELECT m.match_id, m.sealed_seed, m.seal_key_id
FROM matches m
WHERE m.seal_key_id <> $1 AND NOT m.counted
    AND NOT EXISTS (SELECT FROM transcript_events r WHERE r.match_id = m.match_id AND r.kind = 7)
LIMIT $2;

-- name: seal_again
UPDATE matches SET sealed_seed = $3, seal_key_id = $4 WHERE match_id = $1 AND sealed_seed = $2;

-- name: list_uncounted
-- Revealed matches whose packs have not been counted.
SELECT m.match_id
FROM matches m
JOIN transcript_events r ON r.match_id = m.match_id AND r.kind = 7
WHERE NOT m.counted
ORDER BY m.created_at
LIMIT $1;

-- name: load_counts
SELECT pack_size, version, matches, packs, cells, hand_sizes, hands, voids FROM pack_counts ORDER BY pack_size;

-- name: begin_counts
INSERT INTO pack_counts (pack_size, cells) VALUES ($1, $2) ON CONFLICT (pack_size) DO NOTHING;

-- name: keep_counts
-- New counts in place of version $2, and the matches $9 that they include now; nothing when another replica counted.
WITH kept AS (
    UPDATE pack_counts
    SET version = version + 1, matches = $3, packs = $4, cells = $5, hand_sizes = $6, hands = $7, voids = $8
    WHERE pack_size = $1 AND version = $2
    RETURNING pack_size
), marked AS (
    UPDATE matches m SET counted = true
    FROM kept WHERE m.match_id = ANY ($9::text[])
)
SELECT count(*) = 1 AS kept FROM kept;
