-- name: claim_deliveries
-- Rows for the consumer $1 that are due and that nobody works on, at most $2, claimed for the next $3 ms.
UPDATE outbox c
SET due_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $3::bigint, attempts = c.attempts + 1
FROM (
    SELECT o.table_id, o.outbox_id
    FROM outbox o
    WHERE o.consumer = $1
      AND o.acknowledged_ms IS NULL
      AND o.due_ms <= (extract(epoch FROM now()) * 1000)::bigint
    ORDER BY o.due_ms
    LIMIT $2
    FOR UPDATE SKIP LOCKED
) d
WHERE c.table_id = d.table_id AND c.outbox_id = d.outbox_id
RETURNING c.table_id, c.outbox_id, c.payload, c.attempts;

-- name: acknowledge_deliveries
UPDATE outbox o
SET acknowledged_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint, refusal = NULL
FROM unnest($1::text[], $2::text[]) AS d (table_id, outbox_id)
WHERE o.table_id = d.table_id AND o.outbox_id = d.outbox_id AND o.acknowledged_ms IS NULL;

-- name: put_off_deliveries
-- To be tried again in so many ms; a row that was refused once stays known as such.
UPDATE outbox o
SET due_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + d.wait_ms, refusal = coalesce(d.refusal, o.refusal)
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS d (table_id, outbox_id, wait_ms, refusal)
WHERE o.table_id = d.table_id AND o.outbox_id = d.outbox_id AND o.acknowledged_ms IS NULL;

-- name: survey_deliveries
-- How old the oldest row is that the consumer $1 has not acknowledged (ms, 0 for none), and how many he refused.
SELECT
    greatest(coalesce((extract(epoch FROM now()) * 1000)::bigint - min(o.at_ms), 0), 0) AS oldest_ms,
    count(o.refusal) AS refused
FROM outbox o
WHERE o.consumer = $1 AND o.acknowledged_ms IS NULL;
