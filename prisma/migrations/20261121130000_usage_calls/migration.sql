-- Chat and embeddings: one row a call, held for before the upstream is asked, charged or released after. A running call
-- has a lease that its API process renews; a dead one's is released by the sweeper, never billed.

CREATE TABLE usage_calls (
  id text PRIMARY KEY CHECK (id LIKE 'chatcmpl\_%' OR id LIKE 'emb\_%'),
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  api_key_id uuid,
  kind text NOT NULL CHECK (kind IN ('chat', 'embeddings')),
  model text NOT NULL,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'charged', 'released')),
  created_at timestamptz(6) NOT NULL,
  month char(7) NOT NULL CHECK (month ~ '^\d{4}-\d{2}$'),
  leased_until timestamptz(6) NOT NULL,
  finished_at timestamptz(6),
  prices jsonb NOT NULL,
  held_eur numeric(20, 9) NOT NULL CHECK (held_eur >= 0),
  prompt_tokens bigint CHECK (prompt_tokens >= 0),
  completion_tokens bigint CHECK (completion_tokens >= 0),
  estimated boolean,
  cost_eur numeric(20, 9) CHECK (cost_eur >= 0),
  written_off_eur numeric(20, 9) CHECK (written_off_eur >= 0),
  CHECK ((status = 'running') = (finished_at IS NULL)),
  CHECK ((status = 'charged') = (cost_eur IS NOT NULL)),
  CHECK (status = 'running' OR held_eur = 0),
  CHECK (status <> 'charged' OR num_nulls(prompt_tokens, completion_tokens, estimated, written_off_eur) = 0)
);
CREATE INDEX usage_calls_organization_id_month_created_at_idx ON usage_calls (organization_id, month, created_at);
CREATE INDEX usage_calls_leased_until_idx ON usage_calls (leased_until) WHERE status = 'running';

-- A call's line. p_prices: {"prompt": {"product", "eur_per_million"}, "completion": the same or null}.
-- Answers {eur, lines: [{product, tokens, eur_per_million}]}; with at most three decimals in a price it is exact.
CREATE FUNCTION usage_line(p_prices jsonb, p_prompt bigint, p_completion bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object(
    'eur', round_half_even(sum(tokens * (price ->> 'eur_per_million')::numeric) * 1e-6, 9)::numeric(20, 9)::text,
    'lines', jsonb_agg(price || jsonb_build_object('tokens', tokens) ORDER BY position))
  FROM (VALUES (1, p_prices -> 'prompt', p_prompt), (2, nullif(p_prices -> 'completion', 'null'), p_completion))
    AS part (position, price, tokens)
  WHERE price IS NOT NULL
$$;

-- Outcomes: held, insufficient_credit, organization_not_found. The tokens are upper bounds.
CREATE FUNCTION hold_usage(p jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_organization organizations := lock_organization((p ->> 'organization_id')::uuid);
  v_at timestamptz := clock_timestamp();
  v_balance numeric;
  v_line jsonb;
  v_eur numeric;
BEGIN
  IF v_organization.id IS NULL THEN
    RETURN jsonb_build_object('outcome', 'organization_not_found');
  END IF;
  SELECT held_eur INTO v_eur FROM usage_calls WHERE id = p ->> 'id' AND organization_id = v_organization.id;
  IF FOUND THEN -- The same statement sent again after a lost connection.
    RETURN jsonb_build_object('outcome', 'held', 'held_eur', v_eur::text);
  END IF;
  -- Not waited for on disk: a client waits for it, and the charge, which is, comes later in the same log. Where the
  -- server loses this commit, the call is not found and not billed.
  PERFORM set_config('synchronous_commit', 'off', true);
  v_line := usage_line(p -> 'prices', (p ->> 'prompt_tokens')::bigint, (p ->> 'completion_tokens')::bigint);
  v_eur := (v_line ->> 'eur')::numeric(20, 9);
  v_balance := ledger_total(v_organization.id, 'balance');
  IF v_eur > v_balance OR v_balance <= 0 THEN
    RETURN jsonb_build_object('outcome', 'insufficient_credit', 'estimated_eur', v_eur::text);
  END IF;
  INSERT INTO usage_calls (id, organization_id, api_key_id, kind, model, created_at, month, leased_until, prices, held_eur)
  VALUES (p ->> 'id', v_organization.id, (p ->> 'api_key_id')::uuid, p ->> 'kind', p ->> 'model', v_at, month_of(v_at),
    v_at + make_interval(secs => (p ->> 'lease_ms')::double precision / 1000), p -> 'prices', v_eur);
  PERFORM ledger_post(v_organization.id, 'hold', 'hold:' || (p ->> 'id'), NULL, NULL, month_of(v_at), v_line,
    jsonb_build_object('balance', -v_eur, 'held', v_eur));
  RETURN jsonb_build_object('outcome', 'held', 'held_eur', v_eur::text);
END $$;

-- Locks organization, then call; null id when there is none.
CREATE FUNCTION lock_usage(p_id text) RETURNS usage_calls LANGUAGE plpgsql AS $$
DECLARE
  v_row usage_calls;
BEGIN
  PERFORM lock_organization((SELECT organization_id FROM usage_calls WHERE id = p_id));
  SELECT * INTO v_row FROM usage_calls WHERE id = p_id FOR UPDATE;
  RETURN v_row;
END $$;

-- The caller has locked the row.
CREATE FUNCTION end_hold_of_usage(p_row usage_calls) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ledger_post(p_row.organization_id, 'release', 'release:' || p_row.id, NULL, NULL, p_row.month, '{}',
    jsonb_build_object('held', -p_row.held_eur, 'balance', p_row.held_eur));
  UPDATE usage_calls SET status = 'released', held_eur = 0, finished_at = clock_timestamp() WHERE id = p_row.id;
END $$;

-- p_dead_only: leaves a call alone whose lease still runs. Outcomes: released, running, final, gone.
CREATE FUNCTION release_usage(p_id text, p_dead_only boolean) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_row usage_calls := lock_usage(p_id);
BEGIN
  IF v_row.id IS NULL THEN
    RETURN jsonb_build_object('outcome', 'gone');
  ELSIF v_row.status <> 'running' THEN
    RETURN jsonb_build_object('outcome', 'final');
  ELSIF p_dead_only AND v_row.leased_until > clock_timestamp() THEN
    RETURN jsonb_build_object('outcome', 'running');
  END IF;
  PERFORM end_hold_of_usage(v_row);
  RETURN jsonb_build_object('outcome', 'released');
END $$;

-- Charge + return of the rest + credit events + the answer under its Idempotency-Key. Outcomes: settled, repeated,
-- released (its lease ended before: never billed), idempotency_lost (another request runs under the key: released, so
-- that only that one is billed). The charge is the line's price, at most hold + spendable; the rest is written off.
-- p_body is the answer that the key keeps; it is kept also where the call was released, since the client gets it.
CREATE FUNCTION settle_usage(p jsonb, p_body text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_row usage_calls := lock_usage(p ->> 'id');
  v_key jsonb := nullif(p -> 'idempotency', 'null');
  v_line jsonb;
  v_price numeric;
  v_charge numeric;
  v_balance numeric;
  v_before numeric;
BEGIN
  IF v_row.status = 'charged' THEN
    RETURN jsonb_build_object('outcome', 'repeated', 'charged_eur', v_row.cost_eur::text,
      'written_off_eur', v_row.written_off_eur::text);
  END IF;
  IF v_key IS NOT NULL THEN
    UPDATE idempotency_keys SET state = 'done', response_status = (p ->> 'response_status')::integer, response_body = p_body
    WHERE organization_id = (v_key ->> 'organizationId')::uuid AND route = v_key ->> 'route' AND key = v_key ->> 'key'
      AND token = (v_key ->> 'token')::uuid AND state = 'running';
    IF NOT FOUND THEN
      IF v_row.status = 'running' THEN
        PERFORM end_hold_of_usage(v_row);
      END IF;
      RETURN jsonb_build_object('outcome', 'idempotency_lost');
    END IF;
  END IF;
  IF v_row.status IS DISTINCT FROM 'running' THEN
    RETURN jsonb_build_object('outcome', 'released');
  END IF;

  v_line := usage_line(v_row.prices, (p ->> 'prompt_tokens')::bigint, (p ->> 'completion_tokens')::bigint);
  v_price := (v_line ->> 'eur')::numeric(20, 9);
  v_balance := ledger_total(v_row.organization_id, 'balance');
  v_before := v_balance + ledger_total(v_row.organization_id, 'held');
  v_charge := least(v_price, v_row.held_eur + v_balance);
  -- One transaction takes the charge from what was held and gives the rest back (or takes what is missing).
  PERFORM ledger_post(v_row.organization_id, 'charge', 'charge:' || v_row.id, NULL, NULL, v_row.month,
    v_line || jsonb_build_object('model', v_row.model, 'estimated', p -> 'estimated',
      'written_off_eur', (v_price - v_charge)::text),
    jsonb_build_object('held', -v_row.held_eur, 'balance', v_row.held_eur - v_charge, 'revenue', v_charge));
  UPDATE usage_calls SET status = 'charged', held_eur = 0, finished_at = clock_timestamp(),
    prompt_tokens = (p ->> 'prompt_tokens')::bigint, completion_tokens = (p ->> 'completion_tokens')::bigint,
    estimated = (p ->> 'estimated')::boolean, cost_eur = v_charge, written_off_eur = v_price - v_charge
  WHERE id = v_row.id;
  PERFORM emit_credit_events(v_row.organization_id, v_before, v_before - v_charge,
    ARRAY(SELECT jsonb_array_elements_text(p -> 'event_ids')));
  RETURN jsonb_build_object('outcome', 'settled', 'charged_eur', v_charge::text,
    'written_off_eur', (v_price - v_charge)::text);
END $$;

-- A refund is for whatever its charge was for: a transcript, or a call of chat or embeddings (p_subject is its id).
DROP FUNCTION refund_charge(uuid, text, numeric, text, text);
CREATE FUNCTION refund_charge(
  p_organization uuid, p_subject text, p_amount numeric, p_reference text, p_note text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_organization organizations := lock_organization(p_organization);
  v_charge ledger_transactions := posted(v_organization.id, 'charge:' || p_subject);
  v_posted ledger_transactions := posted(v_organization.id, 'refund:' || p_reference);
  v_left numeric;
  v_amount numeric;
BEGIN
  IF v_charge.id IS NULL THEN
    RETURN jsonb_build_object('outcome', 'charge_not_found');
  END IF;
  IF v_posted.id IS NOT NULL THEN
    RETURN balance_of(p_organization) || jsonb_build_object('outcome', CASE WHEN v_posted.refers_to = v_charge.id AND (
      p_amount IS NULL OR EXISTS (
        SELECT FROM ledger_entries WHERE transaction_id = v_posted.id AND account = 'balance' AND amount = p_amount)
    ) THEN 'repeated' ELSE 'reference_reused' END);
  END IF;
  -- Revenue entries: the charge is positive, its refunds negative.
  SELECT coalesce(sum(e.amount), 0) INTO v_left FROM ledger_transactions t
  JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = 'revenue'
  WHERE t.id = v_charge.id OR t.refers_to = v_charge.id;
  v_amount := coalesce(p_amount, v_left);
  IF v_amount > v_left OR v_amount <= 0 THEN
    RETURN jsonb_build_object('outcome', 'exceeds_charge', 'left', v_left::text);
  END IF;
  PERFORM ledger_post(p_organization, 'refund', 'refund:' || p_reference, v_charge.transcript_id, v_charge.id,
    v_charge.month, jsonb_build_object('note', p_note), jsonb_build_object('revenue', -v_amount, 'balance', v_amount));
  RETURN balance_of(p_organization) || jsonb_build_object('outcome', 'refunded');
END $$;
