-- The steps of a transcript, each one statement and so one transaction, each safe to repeat. The organization's row is
-- locked before the transcript's, always in this order.

-- TranscribeInput of workflows/names.ts: what the relay and the sweeper start the workflow with.
CREATE FUNCTION transcript_start(p_row transcripts) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'transcriptId', p_row.id, 'organizationId', p_row.organization_id,
    'fairnessKey', p_row.organization_id || CASE p_row.priority WHEN 'economy' THEN '/economy' ELSE '' END,
    'fairnessWeight', CASE p_row.priority WHEN 'economy' THEN 0.25 ELSE 1 END,
    'deadlineAt', floor(extract(epoch FROM p_row.deadline_at) * 1000))
$$;

-- Row + hold + outbox. Outcomes, in this order: organization_not_found, idempotency_lost (the caller's lease went to
-- another request), file_not_found, concurrency_limit, insufficient_credit, ok.
CREATE FUNCTION create_transcript(p jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_organization organizations := lock_organization((p ->> 'organization_id')::uuid);
  v_idempotency jsonb := nullif(p -> 'idempotency', 'null');
  v_assumed_ms bigint := (p ->> 'assumed_ms')::bigint;
  v_modules text[] := ARRAY(SELECT jsonb_array_elements_text(p -> 'modules'));
  v_retention text := coalesce(p ->> 'retention', v_organization.default_retention);
  v_row transcripts;
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

-- Locks organization, then transcript; null id when it is gone.
CREATE FUNCTION lock_transcript(p_id text) RETURNS transcripts LANGUAGE plpgsql AS $$
DECLARE
  v_row transcripts;
BEGIN
  PERFORM lock_organization((SELECT organization_id FROM transcripts WHERE id = p_id));
  SELECT * INTO v_row FROM transcripts WHERE id = p_id FOR UPDATE;
  RETURN v_row;
END $$;

CREATE FUNCTION release_hold(p_row transcripts) RETURNS void LANGUAGE sql AS $$
  SELECT ledger_post(p_row.organization_id, 'release', 'release:' || p_row.id, p_row.id, NULL, p_row.month, '{}',
    jsonb_build_object('held', -p_row.held_eur, 'balance', p_row.held_eur))
$$;

-- The duration is known now: hold what it costs, if more. Once a transcript.
-- Outcomes: raised, enough, repeated, insufficient_credit, final, gone.
CREATE FUNCTION raise_hold(p_id text, p_duration_ms bigint, p_prices jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_row transcripts := lock_transcript(p_id);
  v_line jsonb;
  v_more numeric;
BEGIN
  IF v_row.id IS NULL THEN
    RETURN jsonb_build_object('outcome', 'gone');
  ELSIF v_row.status NOT IN ('queued', 'processing') THEN
    RETURN jsonb_build_object('outcome', 'final');
  ELSIF v_row.raised_at IS NOT NULL THEN
    RETURN jsonb_build_object('outcome', 'repeated');
  END IF;
  v_line := transcript_line(p_prices, billed_minutes_of(v_row.organization_id, v_row.month),
    started_minutes(p_duration_ms), v_row.priority, v_row.modules, v_row.modules);
  v_more := greatest(0, (v_line ->> 'eur')::numeric - v_row.held_eur);
  IF v_more > ledger_total(v_row.organization_id, 'balance') THEN
    RETURN jsonb_build_object('outcome', 'insufficient_credit');
  END IF;
  UPDATE transcripts SET held_eur = held_eur + v_more, raised_at = clock_timestamp() WHERE id = p_id;
  PERFORM ledger_post(v_row.organization_id, 'raise', 'raise:' || p_id, p_id, NULL, v_row.month, v_line,
    jsonb_build_object('balance', -v_more, 'held', v_more));
  RETURN jsonb_build_object('outcome', CASE WHEN v_more > 0 THEN 'raised' ELSE 'enough' END);
END $$;

-- Result + charge + release of the rest + events. Outcomes: settled, repeated, final (it failed before), gone (deleted).
-- The charge is the line's price, at most hold + spendable; what is left is written off.
CREATE FUNCTION settle_transcript(
  p jsonb, p_text text, p_words text, p_utterances text, p_srt text, p_vtt text, p_txt text, p_understanding text, p_pii text
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_row transcripts := lock_transcript(p ->> 'id');
  v_duration_ms bigint := (p ->> 'duration_ms')::bigint;
  v_minutes bigint := started_minutes(v_duration_ms);
  v_event_ids text[] := ARRAY(SELECT jsonb_array_elements_text(p -> 'event_ids'));
  v_line jsonb;
  v_charge numeric;
  v_extra numeric;
  v_before numeric;
BEGIN
  IF v_row.id IS NULL THEN
    RETURN jsonb_build_object('outcome', 'gone');
  ELSIF v_row.status = 'completed' THEN
    RETURN jsonb_build_object('outcome', 'repeated', 'charged_eur', v_row.cost_eur::text, 'written_off_eur', '0');
  ELSIF v_row.status NOT IN ('queued', 'processing') THEN
    RETURN jsonb_build_object('outcome', 'final');
  END IF;
  v_line := transcript_line(p -> 'prices', billed_minutes_of(v_row.organization_id, v_row.month), v_minutes,
    v_row.priority, v_row.modules, ARRAY(SELECT jsonb_array_elements_text(p -> 'delivered')));
  v_charge := least((v_line ->> 'eur')::numeric, v_row.held_eur + ledger_total(v_row.organization_id, 'balance'));
  v_extra := greatest(0, v_charge - v_row.held_eur);
  v_before := ledger_total(v_row.organization_id, 'balance') + ledger_total(v_row.organization_id, 'held');

  PERFORM ledger_post(v_row.organization_id, 'charge', 'charge:' || v_row.id, v_row.id, NULL, v_row.month,
    v_line || jsonb_build_object('written_off_eur', ((v_line ->> 'eur')::numeric - v_charge)::text),
    jsonb_build_object('held', v_extra - v_charge, 'balance', -v_extra, 'revenue', v_charge));
  v_row.held_eur := v_row.held_eur - (v_charge - v_extra);
  PERFORM release_hold(v_row);
  INSERT INTO billed_minutes AS b (organization_id, month, minutes) VALUES (v_row.organization_id, v_row.month, v_minutes)
  ON CONFLICT (organization_id, month) DO UPDATE SET minutes = b.minutes + v_minutes;

  UPDATE transcripts SET status = 'completed', held_eur = 0, completed_at = clock_timestamp(),
    started_at = coalesce(started_at, clock_timestamp()), detected_language = p ->> 'language',
    language_confidence = (p ->> 'language_confidence')::double precision, duration_ms = v_duration_ms,
    speech_ms = (p ->> 'speech_ms')::bigint, billed_minutes = v_minutes, cost_eur = v_charge
  WHERE id = v_row.id;
  INSERT INTO transcript_results (
    transcript_id, text, words, utterances, srt, vtt, txt, speaker_role_confidence, understanding, pii, warnings, metrics
  ) VALUES (
    v_row.id, p_text, p_words, p_utterances, p_srt, p_vtt, p_txt, (p ->> 'speaker_role_confidence')::double precision,
    p_understanding, p_pii, ARRAY(SELECT jsonb_array_elements_text(p -> 'warnings')), p ->> 'metrics'
  );
  PERFORM emit_event(v_row.organization_id, v_row.id, v_event_ids[1], 'transcript.completed',
    format('"transcript_id":%s,"status":"completed","language":%s,"audio_duration":%s',
      to_json(v_row.id), to_json(p ->> 'language'), trim_scale(v_duration_ms / 1000.0)));
  PERFORM emit_credit_events(v_row.organization_id, v_before, v_before - v_charge, v_event_ids[2:3]);
  RETURN jsonb_build_object('outcome', 'settled', 'charged_eur', v_charge::text,
    'written_off_eur', ((v_line ->> 'eur')::numeric - v_charge)::text);
END $$;

-- Outcomes: failed, final (it ended before), gone.
CREATE FUNCTION fail_transcript(p_id text, p_message text, p_event_id text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_row transcripts := lock_transcript(p_id);
BEGIN
  IF v_row.id IS NULL THEN
    RETURN jsonb_build_object('outcome', 'gone');
  ELSIF v_row.status NOT IN ('queued', 'processing') THEN
    RETURN jsonb_build_object('outcome', 'final');
  END IF;
  PERFORM release_hold(v_row);
  UPDATE transcripts SET status = 'failed', held_eur = 0, completed_at = clock_timestamp(), error_message = p_message
  WHERE id = p_id;
  PERFORM emit_event(v_row.organization_id, p_id, p_event_id, 'transcript.failed',
    format('"transcript_id":%s,"status":"failed","error":{"message":%s}', to_json(p_id), to_json(p_message)));
  RETURN jsonb_build_object('outcome', 'failed');
END $$;

-- Outcomes: deleted, not_found. The upload goes with it unless another transcript uses it; the outbox row lets a relay
-- cancel the workflow and remove the objects even when the caller dies right after the commit.
CREATE FUNCTION delete_transcript(p_organization uuid, p_id text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_row transcripts := lock_transcript(p_id);
  v_in_flight boolean := v_row.status IN ('queued', 'processing');
  v_upload text;
BEGIN
  IF v_row.organization_id IS DISTINCT FROM p_organization THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  IF v_in_flight THEN
    PERFORM release_hold(v_row);
  END IF;
  DELETE FROM transcripts WHERE id = p_id;
  DELETE FROM outbox WHERE transcript_id = p_id AND kind = 'transcript.start' AND done_at IS NULL;
  IF NOT EXISTS (SELECT FROM transcripts WHERE file_id = v_row.file_id) THEN
    DELETE FROM files WHERE id = v_row.file_id AND organization_id = p_organization RETURNING object_key INTO v_upload;
  END IF;
  INSERT INTO outbox (kind, organization_id, transcript_id, payload) VALUES ('transcript.delete', p_organization, p_id,
    jsonb_build_object('transcriptId', p_id, 'organizationId', p_organization, 'wasInFlight', v_in_flight, 'uploadKey', v_upload));
  RETURN jsonb_build_object('outcome', 'deleted', 'was_in_flight', v_in_flight, 'upload_key', v_upload);
END $$;

-- Outcomes: deleted, not_found, in_use (a queued or processing transcript reads it).
CREATE FUNCTION delete_file(p_organization uuid, p_id text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_organization organizations := lock_organization(p_organization);
  v_key text;
BEGIN
  IF EXISTS (SELECT FROM transcripts WHERE organization_id = v_organization.id AND file_id = p_id AND status IN ('queued', 'processing')) THEN
    RETURN jsonb_build_object('outcome', 'in_use');
  END IF;
  DELETE FROM files WHERE id = p_id AND organization_id = v_organization.id RETURNING object_key INTO v_key;
  RETURN CASE WHEN v_key IS NULL THEN jsonb_build_object('outcome', 'not_found')
         ELSE jsonb_build_object('outcome', 'deleted', 'object_key', v_key) END;
END $$;
