-- What must happen once: idempotency keys, events and their delivery, the outbox, and request permits.

CREATE TABLE idempotency_keys (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  route text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done')),
  token uuid NOT NULL,
  leased_until timestamptz(6) NOT NULL,
  response_status integer,
  response_body text,
  resource jsonb,
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz(6) NOT NULL,
  PRIMARY KEY (organization_id, route, key),
  CHECK ((state = 'done') = (response_status IS NOT NULL))
);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

CREATE TABLE webhooks (
  id text PRIMARY KEY CHECK (id LIKE 'wh\_%'),
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  url text NOT NULL,
  events text[] NOT NULL CHECK (cardinality(events) > 0),
  secret bytea NOT NULL,
  status text NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled')),
  consecutive_failures integer NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  disabled_at timestamptz(6),
  deleted_at timestamptz(6),
  CHECK ((status = 'disabled') = (disabled_at IS NOT NULL))
);
CREATE INDEX webhooks_organization_id_idx ON webhooks (organization_id) WHERE deleted_at IS NULL;

CREATE TABLE events (
  id text PRIMARY KEY CHECK (id LIKE 'evt\_%'),
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  event text NOT NULL,
  body text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX events_organization_id_idx ON events (organization_id);

CREATE TABLE deliveries (
  id bigserial PRIMARY KEY,
  webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE RESTRICT,
  event_id text NOT NULL REFERENCES events (id) ON DELETE RESTRICT,
  attempt integer NOT NULL CHECK (attempt > 0),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'blocked')),
  response_status integer,
  error text,
  attempted_at timestamptz(6),
  next_attempt_at timestamptz(6)
);
CREATE UNIQUE INDEX deliveries_webhook_id_event_id_attempt_key ON deliveries (webhook_id, event_id, attempt);
CREATE INDEX deliveries_event_id_idx ON deliveries (event_id);

-- Claimed by state with SKIP LOCKED, never by a high-water mark: sequence numbers commit out of order.
CREATE TABLE outbox (
  id bigserial PRIMARY KEY,
  kind text NOT NULL,
  organization_id uuid NOT NULL,
  transcript_id text,
  event_id text,
  payload jsonb NOT NULL DEFAULT '{}',
  attempts integer NOT NULL DEFAULT 0,
  available_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  done_at timestamptz(6),
  last_error text,
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX outbox_kind_available_at_idx ON outbox (kind, available_at) WHERE done_at IS NULL;

CREATE TABLE request_permits (
  api_key_id uuid PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
  leases uuid[] NOT NULL DEFAULT '{}',
  counts integer[] NOT NULL DEFAULT '{}',
  counted_until timestamptz(6)[] NOT NULL DEFAULT '{}'
);

-- One sliding minute a key. Grants up to p_want permits to lease p_lease: at most an eighth of what remains while more
-- than 40 remain, then one by one. Permits of a lease may be used for p_lease_ms, so they count until 60 s after its end.
-- p_settle gives a former lease back: only p_used of its permits keep counting.
CREATE FUNCTION take_permits(
  p_key uuid, p_limit integer, p_want integer, p_lease uuid, p_lease_ms integer, p_settle uuid, p_used integer
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_row request_permits;
  v_now timestamptz;
  v_remaining integer;
  v_grant integer;
  v_retry_ms bigint := 0;
BEGIN
  INSERT INTO request_permits (api_key_id) VALUES (p_key) ON CONFLICT DO NOTHING;
  SELECT * INTO v_row FROM request_permits WHERE api_key_id = p_key FOR UPDATE;
  -- After the lock: a wait for it must not date the grant back.
  v_now := clock_timestamp();
  SELECT coalesce(array_agg(lease ORDER BY until), '{}'), coalesce(array_agg(n ORDER BY until), '{}'),
         coalesce(array_agg(until ORDER BY until), '{}')
  INTO v_row.leases, v_row.counts, v_row.counted_until
  FROM (
    SELECT lease, CASE WHEN lease = p_settle THEN least(n, p_used) ELSE n END AS n, until
    FROM unnest(v_row.leases, v_row.counts, v_row.counted_until) AS g (lease, n, until)
  ) grants WHERE until > v_now AND n > 0;
  v_remaining := greatest(0, p_limit - (SELECT coalesce(sum(n), 0) FROM unnest(v_row.counts) n));
  v_grant := least(p_want, v_remaining, CASE WHEN v_remaining > 40 THEN greatest(1, v_remaining / 8) ELSE 1 END);
  IF v_grant > 0 THEN
    v_row.leases := v_row.leases || p_lease;
    v_row.counts := v_row.counts || v_grant;
    v_row.counted_until := v_row.counted_until
      || (v_now + make_interval(secs => 60 + CASE WHEN v_grant > 1 THEN p_lease_ms / 1000.0 ELSE 0 END));
  ELSIF p_want > 0 THEN
    v_retry_ms := greatest(1, ceil(extract(epoch FROM coalesce(
      (SELECT min(u) FROM unnest(v_row.counted_until) u), v_now + interval '60 s') - v_now) * 1000));
  END IF;
  UPDATE request_permits SET leases = v_row.leases, counts = v_row.counts, counted_until = v_row.counted_until
  WHERE api_key_id = p_key;
  RETURN jsonb_build_object('granted', v_grant, 'remaining', v_remaining - v_grant, 'retry_ms', v_retry_ms);
END $$;
