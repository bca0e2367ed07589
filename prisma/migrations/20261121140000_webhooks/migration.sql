-- Endpoints and the delivery of events to them. The row decides each attempt: a workflow asks what is pending, makes the
-- attempt, and records it. Whoever changes an endpoint or what is pending for it locks the endpoint's row first, so that
-- nothing is pending for one that is disabled or deleted.

ALTER TABLE webhooks ADD COLUMN last_delivered_at timestamptz(6);

-- Nothing has written deliveries before this version. One row an attempt; `created_at` is unique within the endpoint, so
-- that it is a full cursor.
DROP TABLE deliveries;
CREATE TABLE deliveries (
  id text PRIMARY KEY DEFAULT 'del_' || replace(gen_random_uuid()::text, '-', ''),
  webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE RESTRICT,
  event_id text NOT NULL REFERENCES events (id) ON DELETE RESTRICT,
  attempt integer NOT NULL CHECK (attempt > 0),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'blocked')),
  response_status integer,
  error text,
  created_at timestamptz(6) NOT NULL,
  attempted_at timestamptz(6),
  next_attempt_at timestamptz(6),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
);
CREATE UNIQUE INDEX deliveries_webhook_id_event_id_attempt_key ON deliveries (webhook_id, event_id, attempt);
CREATE UNIQUE INDEX deliveries_webhook_id_created_at_key ON deliveries (webhook_id, created_at);
CREATE INDEX deliveries_event_id_idx ON deliveries (event_id);
-- For the sweeper: what should have been attempted long ago.
CREATE INDEX deliveries_next_attempt_at_idx ON deliveries (next_attempt_at) WHERE status = 'pending';

-- Outcomes: created, limit, organization_not_found. The organization's lock makes the count certain.
CREATE FUNCTION create_webhook(
  p_organization uuid, p_id text, p_url text, p_events text[], p_secret bytea, p_limit integer
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_organization organizations := lock_organization(p_organization);
BEGIN
  IF v_organization.id IS NULL THEN
    RETURN jsonb_build_object('outcome', 'organization_not_found');
  ELSIF (SELECT count(*) FROM webhooks WHERE organization_id = p_organization AND deleted_at IS NULL) >= p_limit THEN
    RETURN jsonb_build_object('outcome', 'limit');
  END IF;
  INSERT INTO webhooks (id, organization_id, url, events, secret, created_at)
  VALUES (p_id, p_organization, p_url, p_events, p_secret, clock_timestamp());
  RETURN jsonb_build_object('outcome', 'created');
END $$;

-- Null id when it is gone.
CREATE FUNCTION lock_webhook(p_id text) RETURNS webhooks LANGUAGE sql AS $$
  SELECT w FROM webhooks w WHERE id = p_id AND deleted_at IS NULL FOR NO KEY UPDATE
$$;

-- The caller holds the endpoint's lock.
CREATE FUNCTION plan_attempt(p_webhook text, p_event text, p_attempt integer, p_after_seconds integer)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO deliveries (webhook_id, event_id, attempt, created_at, next_attempt_at)
  SELECT p_webhook, p_event, p_attempt,
    greatest(clock_timestamp(), (SELECT max(created_at) FROM deliveries WHERE webhook_id = p_webhook) + interval '1 microsecond'),
    clock_timestamp() + make_interval(secs => p_after_seconds)
$$;

-- The caller holds the endpoint's lock.
CREATE FUNCTION end_pending(p_webhook text, p_error text) RETURNS void LANGUAGE sql AS $$
  UPDATE deliveries SET status = 'failed', error = p_error, next_attempt_at = NULL
  WHERE webhook_id = p_webhook AND status = 'pending'
$$;

-- One event's outbox row becomes what follows from it: a first attempt and a `webhook.deliver` row for each endpoint
-- that subscribes to it now, and a `mail.send` row for each member with one of the roles. Marks the row done in the same
-- transaction, so that however often a relay dies, this happens once. Outcomes: done, repeated.
CREATE FUNCTION fan_out_event(p_outbox bigint, p_deliver boolean, p_mail_roles text[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_row outbox;
  v_event events;
  v_webhook text;
BEGIN
  SELECT * INTO v_row FROM outbox WHERE id = p_outbox AND done_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN jsonb_build_object('outcome', 'repeated');
  END IF;
  SELECT * INTO STRICT v_event FROM events WHERE id = v_row.event_id;
  IF p_deliver THEN
    FOR v_webhook IN
      SELECT id FROM webhooks WHERE organization_id = v_event.organization_id AND deleted_at IS NULL
        AND status = 'enabled' AND v_event.event = ANY (events)
      ORDER BY id FOR NO KEY UPDATE
    LOOP
      PERFORM plan_attempt(v_webhook, v_event.id, 1, 0);
      INSERT INTO outbox (kind, organization_id, event_id, payload) VALUES ('webhook.deliver', v_event.organization_id,
        v_event.id, jsonb_build_object('webhookId', v_webhook, 'eventId', v_event.id, 'organizationId', v_event.organization_id));
    END LOOP;
  END IF;
  INSERT INTO outbox (kind, organization_id, event_id, payload)
  SELECT 'mail.send', v_event.organization_id, v_event.id,
    jsonb_build_object('eventId', v_event.id, 'memberId', m.id, 'organizationId', v_event.organization_id)
  FROM members m WHERE m.organization_id = v_event.organization_id AND m.role = ANY (p_mail_roles);
  UPDATE outbox SET done_at = clock_timestamp(), last_error = NULL WHERE id = p_outbox;
  RETURN jsonb_build_object('outcome', 'done');
END $$;

-- Milliseconds until the pending attempt is due; null when nothing is pending.
CREATE FUNCTION attempt_wait_ms(p_webhook text, p_event text) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT greatest(0, ceil(extract(epoch FROM next_attempt_at - clock_timestamp()) * 1000))::bigint
  FROM deliveries WHERE webhook_id = p_webhook AND event_id = p_event AND status = 'pending'
$$;

-- What became of one attempt. p_delays: seconds before each retry; p_disabled_id: for the event webhook.disabled.
-- An attempt that is recorded already, or was ended with its endpoint, changes nothing.
-- Answers {outcome: recorded | repeated, disabled, wait_ms}.
CREATE FUNCTION record_attempt(
  p_webhook text, p_event text, p_attempt integer, p_status text, p_response_status integer, p_error text,
  p_attempted_at timestamptz, p_delays integer[], p_disabled_id text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_webhook webhooks := lock_webhook(p_webhook);
  v_first timestamptz;
  v_disabled boolean := false;
BEGIN
  UPDATE deliveries SET status = p_status, response_status = p_response_status, error = p_error,
    attempted_at = p_attempted_at, next_attempt_at = NULL
  WHERE webhook_id = v_webhook.id AND event_id = p_event AND attempt = p_attempt AND status = 'pending';
  IF NOT FOUND THEN
    RETURN jsonb_build_object('outcome', 'repeated', 'disabled', false, 'wait_ms', attempt_wait_ms(p_webhook, p_event));
  END IF;
  IF p_status = 'delivered' THEN
    UPDATE webhooks SET consecutive_failures = 0, last_delivered_at = clock_timestamp() WHERE id = p_webhook;
  ELSE
    -- The highest failed retry number since the last success; the first attempt is no retry.
    UPDATE webhooks SET consecutive_failures = greatest(consecutive_failures, p_attempt - 1) WHERE id = p_webhook;
    IF p_attempt <= cardinality(p_delays) THEN
      PERFORM plan_attempt(p_webhook, p_event, p_attempt + 1, p_delays[p_attempt]);
    ELSE
      SELECT attempted_at INTO v_first FROM deliveries WHERE webhook_id = p_webhook AND event_id = p_event AND attempt = 1;
      v_disabled := v_webhook.last_delivered_at IS NULL OR v_webhook.last_delivered_at < v_first;
    END IF;
  END IF;
  IF v_disabled THEN
    UPDATE webhooks SET status = 'disabled', disabled_at = clock_timestamp() WHERE id = p_webhook;
    PERFORM end_pending(p_webhook, 'endpoint_disabled');
    PERFORM emit_event(v_webhook.organization_id, NULL, p_disabled_id, 'webhook.disabled',
      format('"webhook_id":%s,"consecutive_failures":%s', to_json(p_webhook), greatest(v_webhook.consecutive_failures, p_attempt - 1)));
  END IF;
  RETURN jsonb_build_object('outcome', 'recorded', 'disabled', v_disabled, 'wait_ms', attempt_wait_ms(p_webhook, p_event));
END $$;

-- Answers whether there was one. Its secret goes at once; its history stays for events that other endpoints share.
CREATE FUNCTION delete_webhook(p_organization uuid, p_id text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_webhook webhooks := lock_webhook(p_id);
BEGIN
  IF v_webhook.organization_id IS DISTINCT FROM p_organization THEN
    RETURN false;
  END IF;
  UPDATE webhooks SET deleted_at = clock_timestamp(), secret = '' WHERE id = p_id;
  PERFORM end_pending(p_id, 'endpoint_deleted');
  RETURN true;
END $$;
