-- Who does not hear what was said, and what players report of it. The running release goes on writing events without
-- the new column.

-- Seats that get the event's number alone: bit s stands for seat s.
ALTER TABLE table_events ADD COLUMN hidden_from smallint NOT NULL DEFAULT 0;

-- Messages that players reported, for moderators. What was said is in the log.
CREATE TABLE message_reports (
    table_id text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    reporter_id text COLLATE "C" NOT NULL,
    speaker_id text COLLATE "C" NOT NULL,
    reason smallint NOT NULL,
    at_ms bigint NOT NULL,
    PRIMARY KEY (table_id, sequence, reporter_id)
);
CREATE INDEX message_reports_latest
    ON message_reports (at_ms DESC, table_id DESC, sequence DESC, reporter_id DESC);
CREATE INDEX message_reports_speaker
    ON message_reports (speaker_id, at_ms DESC, table_id DESC, sequence DESC, reporter_id DESC);
