-- no transaction
-- How much was said at a table lately, however much else has happened there. Made while moves go on.
CREATE INDEX CONCURRENTLY IF NOT EXISTS table_events_said ON table_events (table_id, sequence) WHERE kind = 'said';
