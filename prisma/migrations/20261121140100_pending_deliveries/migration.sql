-- An endpoint may have a long history and few pending attempts: ending those should not read the history.
DROP INDEX deliveries_next_attempt_at_idx;
CREATE INDEX deliveries_webhook_id_next_attempt_at_idx ON deliveries (webhook_id, next_attempt_at) WHERE status = 'pending';
