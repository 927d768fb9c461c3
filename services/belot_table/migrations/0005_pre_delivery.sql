-- Deliveries of outbox rows. A row is for one consumer; what two are to learn is two rows. The first consumer is the
-- default, so that rows of releases that know of none are his, too.
ALTER TABLE outbox
    ADD COLUMN consumer text COLLATE "C" NOT NULL DEFAULT 'rating',
    -- Not to be tried before then: somebody has claimed it, or it is put off after a try that failed.
    ADD COLUMN due_ms bigint NOT NULL DEFAULT 0,
    ADD COLUMN attempts integer NOT NULL DEFAULT 0,
    -- Why the consumer refused it for good, for whoever looks after it; NULL: he did not.
    ADD COLUMN refusal text;

CREATE INDEX outbox_due ON outbox (consumer, due_ms) WHERE acknowledged_ms IS NULL;
