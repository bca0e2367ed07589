-- A creation sent again after its transcript was deleted ran into the ledger's unique reference and answered an error.

-- Row + hold + outbox. Outcomes, in this order: organization_not_found, idempotency_lost (the caller's lease went to
-- another request), file_not_found, concurrency_limit, insufficient_credit, ok.
CREATE OR REPLACE FUNCTION create_transcript(p jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_organization organizations := lock_organization((p ->> 'organization_id')::uuid);
  v_idempotency jsonb := nullif(p -> 'idempotency', 'null');
  v_assumed_ms bigint := (p ->> 'assumed_ms')::bigint;
  v_modules text[] := ARRAY(SELECT jsonb_array_elements_text(p -> 'modules'));
  v_retention text := coalesce(p ->> 'retention', v_organization.default_retention);
  v_row transcripts;
  v_held ledger_transactions;
  v_at timestamptz;
  v_line jsonb;
  v_answer jsonb;
BEGIN
  IF v_organization.id IS NULL THEN
    RETURN jsonb_build_object('outcome', 'organization_not_found');
  END IF;
  SELECT * INTO v_row FROM transcripts WHERE id = p ->> 'id' AND organization_id = v_organization.id;
  IF FOUND THEN -- The same statement sent again after a lost connection.
    RETURN jsonb_build_object('outcome', 'ok', 'id', v_row.id, 'created_at', iso_ms(v_row.created_at),
      'assumed_ms', v_row.assumed_ms, 'estimated_eur', v_row.estimated_eur::text);
  END IF;
  v_held := posted(v_organization.id, 'hold:' || (p ->> 'id'));
  IF v_held.id IS NOT NULL THEN -- The same, and the transcript was deleted in between: it is not made a second time.
    RETURN jsonb_build_object('outcome', 'ok', 'id', p ->> 'id', 'created_at', iso_ms(v_held.created_at),
      'assumed_ms', v_assumed_ms, 'estimated_eur', v_held.detail ->> 'eur');
  END IF;
  IF v_idempotency IS NOT NULL THEN
    PERFORM FROM idempotency_keys WHERE organization_id = v_organization.id AND route = v_idempotency ->> 'route'
      AND key = v_idempotency ->> 'key' AND token = (v_idempotency ->> 'token')::uuid AND state = 'running' FOR UPDATE;
    IF NOT FOUND THEN
      RETURN jsonb_build_object('outcome', 'idempotency_lost');
    END IF;
  END IF;
  IF p ->> 'file_id' IS NOT NULL AND NOT EXISTS (
    SELECT FROM files WHERE id = p ->> 'file_id' AND organization_id = v_organization.id
  ) THEN
    RETURN jsonb_build_object('outcome', 'file_not_found');
  END IF;
  IF (SELECT count(*) FROM transcripts WHERE organization_id = v_organization.id AND status IN ('queued', 'processing'))
     >= v_organization.in_flight_limit THEN
    RETURN jsonb_build_object('outcome', 'concurrency_limit', 'limit', v_organization.in_flight_limit);
  END IF;

  -- Later than the newest by at least 1 µs: unique within the organization, and in commit order.
  v_at := greatest(clock_timestamp(), v_organization.last_transcript_at + interval '1 microsecond');
  v_line := transcript_line(p -> 'prices', billed_minutes_of(v_organization.id, month_of(v_at)),
    started_minutes(v_assumed_ms), p ->> 'priority', v_modules, v_modules);
  IF (v_line ->> 'eur')::numeric > ledger_total(v_organization.id, 'balance')
     OR ledger_total(v_organization.id, 'balance') <= 0 THEN
    RETURN jsonb_build_object('outcome', 'insufficient_credit', 'estimated_eur', v_line ->> 'eur');
  END IF;

  UPDATE organizations SET last_transcript_at = v_at WHERE id = v_organization.id;
  INSERT INTO transcripts (
    id, organization_id, api_key_id, priority, created_at, month, deadline_at, file_id, audio_url, language,
    language_hints, understanding, modules, retention, expires_at, metadata, custom_vocabulary, assumed_ms,
    estimated_eur, held_eur
  ) VALUES (
    p ->> 'id', v_organization.id, (p ->> 'api_key_id')::uuid, p ->> 'priority', v_at, month_of(v_at),
    v_at + interval '48 hours', p ->> 'file_id', p ->> 'audio_url', p ->> 'language',
    ARRAY(SELECT jsonb_array_elements_text(p -> 'language_hints')), p -> 'understanding', v_modules, v_retention,
    v_at + (CASE v_retention WHEN '24h' THEN '24 hours' WHEN '7d' THEN '168 hours' WHEN '30d' THEN '720 hours' END)::interval,
    p ->> 'metadata', ARRAY(SELECT jsonb_array_elements_text(p -> 'custom_vocabulary')), v_assumed_ms,
    (v_line ->> 'eur')::numeric, (v_line ->> 'eur')::numeric
  ) RETURNING * INTO v_row;
  INSERT INTO transcript_work (transcript_id, queue, planned_chunks, planned_ms)
  SELECT v_row.id, w.queue, w.chunks, w.ms FROM jsonb_to_recordset(p -> 'work') AS w (queue text, chunks integer, ms bigint);
  PERFORM ledger_post(v_organization.id, 'hold', 'hold:' || v_row.id, v_row.id, NULL, v_row.month, v_line,
    jsonb_build_object('balance', -v_row.held_eur, 'held', v_row.held_eur));
  INSERT INTO outbox (kind, organization_id, transcript_id, payload)
  VALUES ('transcript.start', v_organization.id, v_row.id, transcript_start(v_row));
  v_answer := jsonb_build_object('id', v_row.id, 'created_at', iso_ms(v_row.created_at),
    'assumed_ms', v_row.assumed_ms, 'estimated_eur', v_row.estimated_eur::text);
  IF v_idempotency IS NOT NULL THEN
    -- In this transaction, so that a crash before the answer is sent cannot bill a second transcript.
    UPDATE idempotency_keys SET state = 'done', response_status = 202, resource = v_answer
    WHERE organization_id = v_organization.id AND route = v_idempotency ->> 'route' AND key = v_idempotency ->> 'key';
  END IF;
  RETURN v_answer || jsonb_build_object('outcome', 'ok');
END $$;
