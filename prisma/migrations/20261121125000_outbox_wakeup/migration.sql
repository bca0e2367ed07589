-- Wakes the relays at commit, so that a new transcript does not wait for the next look at the outbox. Only a hint: behind
-- transaction pooling it never arrives, and the look every 300 ms finds the row.
CREATE FUNCTION notify_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('escriba_outbox', '');
  RETURN NULL;
END $$;

CREATE TRIGGER notify_outbox AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION notify_outbox();
