-- name: commit_tables
-- Many tables' commits in one statement; at most 64, never two of one table. Arrays $1-$13, $24 and $25 have one entry
-- a commit, $14-$19 and $26 one an event, $20-$23 one an outbox row, $27-$31 one a report; "item" counts commits from 0.
-- The rows are locked in the order of table_id, so that two committers cannot deadlock. Who passed comes back as bits.
WITH wanted AS MATERIALIZED (
    SELECT w.*, (w.ordinal - 1)::int AS item
    FROM unnest(
        $1::text[], $2::bigint[], $3::bigint[], $4::smallint[], $5::text[], $6::text[], $7::bytea[], $8::bigint[],
        $9::text[], $10::text[], $11::bytea[], $12::bytea[]
    ) WITH ORDINALITY AS w (
        table_id, version, sequence, status, match_id, players, state, at_ms,
        player_id, request_id, fingerprint, response, ordinal
    )
), locked AS MATERIALIZED (
    SELECT w.*
    FROM wanted w
    JOIN tables t ON t.table_id = w.table_id
    ORDER BY w.table_id
    FOR UPDATE OF t
), passed AS (
    UPDATE tables t
    SET version = l.version + 1,
        sequence = l.sequence,
        status = l.status,
        match_id = l.match_id,
        players = string_to_array(l.players, ' '),
        state = l.state,
        updated_ms = l.at_ms
    FROM locked l
    WHERE t.table_id = l.table_id
      AND t.version = l.version
      AND NOT EXISTS (
          SELECT FROM table_requests r
          WHERE r.table_id = l.table_id AND r.player_id = l.player_id AND r.request_id = l.request_id
      )
    RETURNING l.item
), result AS MATERIALIZED (
    SELECT coalesce(bit_or(1::bigint << p.item), 0) AS bits FROM passed p
), new_events AS (
    INSERT INTO table_events (table_id, sequence, kind, at_ms, payload, only_seat, seat_payload, hidden_from)
    SELECT w.table_id, e.sequence, e.kind, w.at_ms, e.payload, e.only_seat, e.seat_payload, e.hidden_from
    FROM result r,
        unnest($14::int[], $15::bigint[], $16::text[], $17::bytea[], $18::smallint[], $19::bytea[], $26::smallint[])
        AS e (item, sequence, kind, payload, only_seat, seat_payload, hidden_from),
        LATERAL (SELECT ($1::text[])[e.item + 1] AS table_id, ($8::bigint[])[e.item + 1] AS at_ms) w
    WHERE r.bits >> e.item & 1 = 1
), new_requests AS (
    INSERT INTO table_requests (table_id, player_id, request_id, fingerprint, response, at_ms)
    SELECT w.table_id, w.player_id, w.request_id, w.fingerprint, w.response, w.at_ms
    FROM result r, wanted w
    WHERE r.bits >> w.item & 1 = 1 AND w.request_id IS NOT NULL
), new_timers AS (
    INSERT INTO table_timers (table_id, kind, seat, due_ms, version)
    SELECT w.table_id, n.kind, n.seat, n.due_ms, w.version + 1
    FROM result r, wanted w,
        LATERAL (
            SELECT
                ($13::text[])[w.item + 1] AS kind,
                ($24::smallint[])[w.item + 1] AS seat,
                ($25::bigint[])[w.item + 1] AS due_ms
        ) n
    WHERE r.bits >> w.item & 1 = 1
    ON CONFLICT (table_id) DO UPDATE
    SET kind = EXCLUDED.kind, seat = EXCLUDED.seat, due_ms = EXCLUDED.due_ms, version = EXCLUDED.version,
        claimed_until_ms = 0
), new_outbox AS (
    INSERT INTO outbox (table_id, outbox_id, kind, payload, at_ms)
    SELECT ($1::text[])[o.item + 1], o.outbox_id, o.kind, o.payload, ($8::bigint[])[o.item + 1]
    FROM result r, unnest($20::int[], $21::text[], $22::text[], $23::bytea[]) AS o (item, outbox_id, kind, payload)
    WHERE r.bits >> o.item & 1 = 1
), new_reports AS (
    INSERT INTO message_reports (table_id, sequence, reporter_id, speaker_id, reason, at_ms)
    SELECT ($1::text[])[m.item + 1], m.sequence, m.reporter_id, m.speaker_id, m.reason, ($8::bigint[])[m.item + 1]
    FROM result r, unnest($27::int[], $28::bigint[], $29::text[], $30::text[], $31::smallint[])
        AS m (item, sequence, reporter_id, speaker_id, reason)
    WHERE r.bits >> m.item & 1 = 1
)
SELECT bits FROM result;

-- name: create_table
-- A new table with everything of its first commit, unless it exists. Returns whether it was made.
WITH made AS (
    INSERT INTO tables (
        table_id, version, sequence, status, private, created_ms, updated_ms, match_id, players, ruleset_json, state,
        invitation
    )
    VALUES ($1, 1, $2, $3, $4, $5, $5, NULL, string_to_array($6, ' '), $7, $8, $20)
    ON CONFLICT (table_id) DO NOTHING
    RETURNING table_id
), new_published AS (
    INSERT INTO table_published (table_id, sequence, settled) SELECT m.table_id, 0, false FROM made m
), new_events AS (
    INSERT INTO table_events (table_id, sequence, kind, at_ms, payload, only_seat, seat_payload)
    SELECT m.table_id, e.sequence, e.kind, $5, e.payload, e.only_seat, e.seat_payload
    FROM made m, unnest($9::bigint[], $10::text[], $11::bytea[], $12::smallint[], $13::bytea[])
        AS e (sequence, kind, payload, only_seat, seat_payload)
), new_presence AS (
    INSERT INTO table_presence (table_id, player_id, seen_ms)
    SELECT m.table_id, s.player_id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    FROM made m, unnest(string_to_array($6, ' ')) AS s (player_id)
), new_request AS (
    INSERT INTO table_requests (table_id, player_id, request_id, fingerprint, response, at_ms)
    SELECT m.table_id, $14, $15, $16, $17, $5 FROM made m
), new_timer AS (
    INSERT INTO table_timers (table_id, kind, seat, due_ms, version) SELECT m.table_id, $18, NULL, $19, 1 FROM made m
)
SELECT count(*) = 1 FROM made;

-- name: load_table
-- The table, its state only where the caller's version $2 is not the current one.
SELECT
    t.version,
    CASE WHEN t.version <> $2 THEN t.state END AS state,
    CASE WHEN t.version <> $2 THEN t.ruleset_json END AS ruleset_json
FROM tables t
WHERE t.table_id = $1;

-- name: find_request
-- The current version of a table, and what was answered to a request there.
SELECT t.version, r.fingerprint, r.response
FROM tables t
LEFT JOIN table_requests r ON r.table_id = t.table_id AND r.player_id = $2 AND r.request_id = $3
WHERE t.table_id = $1;

-- name: keep_request
-- The answer to a request that changed nothing, if the table is still at the version $6 that says so.
INSERT INTO table_requests (table_id, player_id, request_id, fingerprint, response, at_ms)
SELECT t.table_id, $2, $3, $4, $5, $7 FROM tables t WHERE t.table_id = $1 AND t.version = $6
ON CONFLICT DO NOTHING
RETURNING true;

-- name: find_match
SELECT t.table_id FROM tables t WHERE t.match_id = $1;

-- name: find_invitation
SELECT t.table_id FROM tables t WHERE t.invitation = $1;

-- name: list_matches
-- Finished tables of the player $3, newest first, after the key ($1, $2); others' private ones only for himself ($5).
SELECT t.table_id, t.created_ms, t.state, t.ruleset_json
FROM tables t
WHERE t.players @> ARRAY[$3::text] AND t.status = 6 AND ($5 OR NOT t.private) AND (t.created_ms, t.table_id) < ($1, $2)
ORDER BY t.created_ms DESC, t.table_id DESC
LIMIT $4;

-- name: expect_player
-- A player is about to sit down: from now on he is missed when nobody names him.
INSERT INTO table_presence AS c (table_id, player_id, seen_ms)
VALUES ($1, $2, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
ON CONFLICT (table_id, player_id) DO UPDATE SET seen_ms = EXCLUDED.seen_ms, away = false, claimed_until_ms = 0;

-- name: see_players
-- Players $2 are connected at tables $1, where they sit at tables that are not over. Comes back: who had counted as away.
WITH present AS MATERIALIZED (
    SELECT DISTINCT p.table_id, p.player_id
    FROM unnest($1::text[], $2::text[]) AS p (table_id, player_id)
    JOIN tables t ON t.table_id = p.table_id
    WHERE t.status < 6 AND t.players @> ARRAY[p.player_id]
), seen AS (
    INSERT INTO table_presence AS c (table_id, player_id, seen_ms)
    SELECT p.table_id, p.player_id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    FROM present p
    ORDER BY p.table_id, p.player_id
    ON CONFLICT (table_id, player_id) DO UPDATE SET seen_ms = EXCLUDED.seen_ms
    RETURNING c.table_id, c.player_id, c.away
)
SELECT s.table_id, s.player_id FROM seen s WHERE s.away;

-- name: claim_unseen
-- Players not seen for $1 ms and not yet counted as away, claimed for the next 1.5 s.
UPDATE table_presence c
SET claimed_until_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 1500
WHERE (c.table_id, c.player_id) IN (
    SELECT d.table_id, d.player_id
    FROM table_presence d
    WHERE NOT d.away
      AND d.seen_ms < (extract(epoch FROM now()) * 1000)::bigint - $1::bigint
      AND d.claimed_until_ms < (extract(epoch FROM now()) * 1000)::bigint
    ORDER BY d.table_id, d.player_id
    LIMIT $2
    FOR UPDATE SKIP LOCKED
)
RETURNING c.table_id, c.player_id, c.seen_ms;

-- name: mark_away
-- The player counts as away ($3) if he was not seen since $4 (null: whenever); nothing comes back when he was.
UPDATE table_presence SET away = $3, claimed_until_ms = 0
WHERE table_id = $1 AND player_id = $2 AND ($4::bigint IS NULL OR seen_ms = $4)
RETURNING table_id;

-- name: forget_presence
DELETE FROM table_presence WHERE table_id = $1 AND player_id = $2;

-- name: list_lobby
-- Public tables that wait or play, newest first, after the key ($1, $2).
SELECT t.table_id, t.created_ms, t.state, t.ruleset_json
FROM tables t
WHERE NOT t.private AND t.status < 6 AND t.status = ANY ($3::smallint[]) AND (t.created_ms, t.table_id) < ($1, $2)
ORDER BY t.created_ms DESC, t.table_id DESC
LIMIT $4;

-- name: list_public
-- Public tables of any status, newest first.
SELECT t.table_id, t.created_ms, t.state, t.ruleset_json
FROM tables t
WHERE NOT t.private AND t.status = ANY ($3::smallint[]) AND (t.created_ms, t.table_id) < ($1, $2)
ORDER BY t.created_ms DESC, t.table_id DESC
LIMIT $4;

-- name: list_seated
-- Tables at which the player $5 sits, private ones included, newest first.
SELECT t.table_id, t.created_ms, t.state, t.ruleset_json
FROM tables t
WHERE t.players @> ARRAY[$5::text] AND t.status = ANY ($3::smallint[]) AND (t.created_ms, t.table_id) < ($1, $2)
ORDER BY t.created_ms DESC, t.table_id DESC
LIMIT $4;

-- name: list_events
SELECT e.table_id, e.sequence, e.kind, e.at_ms, e.payload, e.only_seat, e.seat_payload, e.hidden_from
FROM table_events e
WHERE e.table_id = $1 AND e.sequence > $2
ORDER BY e.sequence
LIMIT $3;

-- name: list_said
-- The last $3 things said at a table after $2, latest first.
SELECT e.table_id, e.sequence, e.kind, e.at_ms, e.payload, e.only_seat, e.seat_payload, e.hidden_from
FROM table_events e
WHERE e.table_id = $1 AND e.kind = 'said' AND e.at_ms > $2
ORDER BY e.sequence DESC
LIMIT $3;

-- name: reported_by
-- What a player reported at a table: since $3, and the event $4 if he did.
SELECT r.sequence, r.at_ms
FROM message_reports r
WHERE r.table_id = $1 AND r.reporter_id = $2 AND (r.at_ms > $3 OR r.sequence = $4)
ORDER BY r.at_ms;

-- name: list_reports
-- Reported messages with what was said, latest first, after the key ($1, $2, $3, $4); $6: of one speaker (null: of all).
SELECT r.table_id, r.sequence, r.reporter_id, r.reason, r.at_ms, e.payload
FROM message_reports r
JOIN table_events e ON e.table_id = r.table_id AND e.sequence = r.sequence
WHERE (r.at_ms, r.table_id, r.sequence, r.reporter_id) < ($1, $2, $3, $4)
  AND ($6::text IS NULL OR r.speaker_id = $6::text)
ORDER BY r.at_ms DESC, r.table_id DESC, r.sequence DESC, r.reporter_id DESC
LIMIT $5;

-- name: list_facts
-- What a snapshot at the sequence $2 needs of the log.
SELECT e.table_id, e.sequence, e.kind, e.at_ms, e.payload, e.only_seat, e.seat_payload
FROM table_events e
WHERE e.table_id = $1
  AND e.sequence <= $2
  AND e.kind IN ('match_opened', 'round_chosen', 'beacon_fixed', 'cards_released', 'deal_scored', 'seed_revealed')
ORDER BY e.sequence;

-- name: claim_timers
-- Timers overdue by $1 ms and claimed by nobody, for the next 1.5 s.
UPDATE table_timers c
SET claimed_until_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 1500
WHERE c.table_id IN (
    SELECT d.table_id
    FROM table_timers d
    WHERE d.due_ms < (extract(epoch FROM now()) * 1000)::bigint - $1::bigint
      AND d.claimed_until_ms < (extract(epoch FROM now()) * 1000)::bigint
      AND d.kind <> ''
    ORDER BY d.due_ms
    LIMIT $2
    FOR UPDATE SKIP LOCKED
)
RETURNING c.table_id, c.kind, c.seat, c.due_ms, c.version;

-- name: claim_unpublished
-- Tables with events that nobody published within $1 ms of their commit, claimed for the next 1.5 s.
UPDATE table_published c
SET claimed_until_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 1500
FROM (
    SELECT p.table_id, w.kind = '' AS at_rest
    FROM table_published p
    JOIN tables t ON t.table_id = p.table_id
    JOIN table_timers w ON w.table_id = p.table_id
    WHERE NOT p.settled
      AND t.sequence > p.sequence
      AND t.updated_ms < (extract(epoch FROM now()) * 1000)::bigint - $1::bigint
      AND p.claimed_until_ms < (extract(epoch FROM now()) * 1000)::bigint
    LIMIT $2
    FOR UPDATE OF p SKIP LOCKED
) u
WHERE c.table_id = u.table_id
RETURNING c.table_id, c.sequence, u.at_rest;

-- name: mark_published
-- Events of tables are published up to these sequences; rows locked in order, as in commit_tables.
WITH marks AS MATERIALIZED (
    SELECT m.table_id, m.sequence, m.settled, p.claimed_until_ms
    FROM unnest($1::text[], $2::bigint[], $3::boolean[]) AS m (table_id, sequence, settled)
    JOIN table_published p ON p.table_id = m.table_id
    ORDER BY m.table_id
    FOR UPDATE OF p
)
UPDATE table_published p
SET sequence = m.sequence, settled = m.settled, claimed_until_ms = 0
FROM marks m
WHERE p.table_id = m.table_id AND m.sequence > p.sequence;

-- name: forget_requests
-- Requests of tables that came to rest before $1 (unix ms), a thousand at a time.
DELETE FROM table_requests r
WHERE (r.table_id, r.player_id, r.request_id) IN (
    SELECT d.table_id, d.player_id, d.request_id
    FROM table_requests d
    JOIN tables t ON t.table_id = d.table_id
    WHERE t.status >= 6 AND t.updated_ms < $1
    LIMIT 1000
);
