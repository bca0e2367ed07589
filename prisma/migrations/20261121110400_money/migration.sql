-- Prices and credit. Prices come in as one JSON value (billing/prices.ts holds them once); the arithmetic lives here,
-- because the tier depends on a counter that is only certain under the organization's row lock.
-- Every function that moves money takes that lock first, so their order is one line per organization.

-- Locks the organization's row. NO KEY UPDATE lets foreign-key checks of other inserts pass.
CREATE FUNCTION lock_organization(p_organization uuid) RETURNS organizations LANGUAGE sql AS $$
  SELECT o FROM organizations o WHERE id = p_organization FOR NO KEY UPDATE
$$;

CREATE FUNCTION month_of(p_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM')
$$;

CREATE FUNCTION iso_ms(p_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Started minutes, at least one.
CREATE FUNCTION started_minutes(p_ms bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(1, (p_ms + 59999) / 60000)
$$;

-- One transcript's line: Σ(minutes × hourly rate) ÷ 60, rounded half-even once at nine places. p_counter is the minutes
-- billed before it in its month. Answers {eur, asr: [{minutes, eur_per_hour}], modules_eur_per_hour}.
CREATE FUNCTION transcript_line(
  p_prices jsonb, p_counter bigint, p_minutes bigint, p_priority text, p_requested text[], p_delivered text[]
) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_asr jsonb;
  v_sum numeric;
  v_modules numeric;
  v_nano numeric;
  v_whole numeric;
  v_rest numeric;
BEGIN
  SELECT coalesce(jsonb_agg(jsonb_build_object('minutes', minutes, 'eur_per_hour', rate::text) ORDER BY first), '[]'),
         sum(minutes * rate)
  INTO v_asr, v_sum
  FROM (
    SELECT first, rate, least(p_counter + p_minutes, coalesce(next, p_counter + p_minutes)) - greatest(p_counter, first) AS minutes
    FROM (
      SELECT (t ->> 'from_minutes')::bigint AS first, (t ->> 'eur_per_hour')::numeric AS rate,
             lead((t ->> 'from_minutes')::bigint) OVER (ORDER BY (t ->> 'from_minutes')::bigint) AS next
      FROM jsonb_array_elements(p_prices -> 'asr') t
    ) tiers
  ) parts WHERE minutes > 0;

  -- Fewer than all modules: the sum of what was delivered. All of them: never more than the pack.
  SELECT coalesce(sum((p_prices -> 'modules' ->> m)::numeric), 0) INTO v_modules FROM unnest(p_delivered) m;
  IF (SELECT bool_and(k = ANY (p_requested)) FROM jsonb_object_keys(p_prices -> 'modules') k) THEN
    v_modules := least(v_modules, (p_prices ->> CASE p_priority WHEN 'economy' THEN 'pack_economy' ELSE 'pack' END)::numeric);
  END IF;

  -- In whole nano-euros, since a division by 60 has no exact decimal form to round.
  v_nano := (v_sum + p_minutes * v_modules) * 1e9;
  v_whole := div(v_nano, 60);
  v_rest := v_nano - v_whole * 60;
  IF v_rest > 30 OR (v_rest = 30 AND mod(v_whole, 2) <> 0) THEN
    v_whole := v_whole + 1;
  END IF;
  RETURN jsonb_build_object('eur', (v_whole * 1e-9)::numeric(20, 9)::text, 'asr', v_asr, 'modules_eur_per_hour', v_modules::text);
END $$;

CREATE FUNCTION billed_minutes_of(p_organization uuid, p_month text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT minutes FROM billed_minutes WHERE organization_id = p_organization AND month = p_month), 0)
$$;

-- Stores an event's body as it will be signed and sent, and its outbox row. p_payload is the inside of a JSON object.
CREATE FUNCTION emit_event(
  p_organization uuid, p_transcript text, p_event_id text, p_event text, p_payload text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_at timestamptz := clock_timestamp();
BEGIN
  INSERT INTO events (id, organization_id, event, body, created_at) VALUES (
    p_event_id, p_organization, p_event,
    format('{"id":%s,"event":%s,"created_at":%s,%s}', to_json(p_event_id), to_json(p_event), to_json(iso_ms(v_at)), p_payload),
    v_at);
  INSERT INTO outbox (kind, organization_id, transcript_id, event_id, payload)
  VALUES (p_event, p_organization, p_transcript, p_event_id, jsonb_build_object('eventId', p_event_id));
END $$;

-- credit.low and credit.exhausted are functions of one debit of balance_eur (balance + held). p_event_ids: one for each.
CREATE FUNCTION emit_credit_events(
  p_organization uuid, p_before numeric, p_after numeric, p_event_ids text[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_threshold numeric := (SELECT credit_low_threshold_eur FROM organizations WHERE id = p_organization);
  v_shown text := trim_scale(round_half_even(p_after, 6))::text;
BEGIN
  IF p_before >= v_threshold AND v_threshold > p_after THEN
    PERFORM emit_event(p_organization, NULL, p_event_ids[1], 'credit.low',
      format('"balance_eur":%s,"threshold_eur":%s', v_shown, trim_scale(round_half_even(v_threshold, 6))));
  END IF;
  IF p_before > 0 AND p_after < p_before AND round_half_even(p_after, 6) = 0 THEN
    PERFORM emit_event(p_organization, NULL, p_event_ids[2], 'credit.exhausted', format('"balance_eur":%s', v_shown));
  END IF;
END $$;

CREATE FUNCTION balance_of(p_organization uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'balance', (ledger_total(p_organization, 'balance') + ledger_total(p_organization, 'held'))::text,
    'spendable', ledger_total(p_organization, 'balance')::text,
    'held', ledger_total(p_organization, 'held')::text)
$$;

-- Answers the transaction already posted under this reference, or null.
CREATE FUNCTION posted(p_organization uuid, p_reference text) RETURNS ledger_transactions LANGUAGE sql STABLE AS $$
  SELECT t FROM ledger_transactions t WHERE organization_id = p_organization AND reference = p_reference
$$;

-- p_amount > 0 is a top-up, < 0 an administrator's debit, which never takes the spendable below 0.
-- Outcomes: added, debited, repeated, reference_reused (other amount), insufficient_credit, organization_not_found.
CREATE FUNCTION move_credit(
  p_organization uuid, p_amount numeric, p_reference text, p_note text, p_event_ids text[]
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_organization organizations := lock_organization(p_organization);
  v_kind text := CASE WHEN p_amount > 0 THEN 'topup' ELSE 'debit' END;
  v_reference text := 'credit:' || p_reference;
  v_posted ledger_transactions;
  v_before numeric;
BEGIN
  IF v_organization.id IS NULL THEN
    RETURN jsonb_build_object('outcome', 'organization_not_found');
  END IF;
  v_posted := posted(p_organization, v_reference);
  IF v_posted.id IS NOT NULL THEN
    RETURN balance_of(p_organization) || jsonb_build_object('outcome', CASE WHEN EXISTS (
      SELECT FROM ledger_entries WHERE transaction_id = v_posted.id AND account = 'balance' AND amount = p_amount
    ) THEN 'repeated' ELSE 'reference_reused' END);
  END IF;
  IF p_amount + ledger_total(p_organization, 'balance') < 0 THEN
    RETURN balance_of(p_organization) || jsonb_build_object('outcome', 'insufficient_credit');
  END IF;
  v_before := ledger_total(p_organization, 'balance') + ledger_total(p_organization, 'held');
  PERFORM ledger_post(p_organization, v_kind, v_reference, NULL, NULL, month_of(clock_timestamp()),
    jsonb_build_object('note', p_note), jsonb_build_object('funding', -p_amount, 'balance', p_amount));
  IF p_amount < 0 THEN
    PERFORM emit_credit_events(p_organization, v_before, v_before + p_amount, p_event_ids);
  END IF;
  RETURN balance_of(p_organization) || jsonb_build_object('outcome', CASE WHEN p_amount > 0 THEN 'added' ELSE 'debited' END);
END $$;

-- Gives back (part of) a transcript's charge; p_amount null means what is left of it. Moves no tier counter, fires no
-- event. Outcomes: refunded, repeated, reference_reused, charge_not_found, exceeds_charge.
CREATE FUNCTION refund_charge(
  p_organization uuid, p_transcript text, p_amount numeric, p_reference text, p_note text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_organization organizations := lock_organization(p_organization);
  v_charge ledger_transactions := posted(v_organization.id, 'charge:' || p_transcript);
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
  PERFORM ledger_post(p_organization, 'refund', 'refund:' || p_reference, p_transcript, v_charge.id, v_charge.month,
    jsonb_build_object('note', p_note), jsonb_build_object('revenue', -v_amount, 'balance', v_amount));
  RETURN balance_of(p_organization) || jsonb_build_object('outcome', 'refunded');
END $$;
