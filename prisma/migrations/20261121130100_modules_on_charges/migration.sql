-- A charge also says which modules it was for, so that an invoice never has to ask a transcript, which may be deleted.

-- One transcript's line: Σ(minutes × hourly rate) ÷ 60, rounded half-even once at nine places. p_counter is the minutes
-- billed before it in its month. Answers {eur, asr: [{minutes, eur_per_hour}], modules: [{name, eur_per_hour}],
-- modules_eur_per_hour}; a module's name is the request's, or pack or pack_economy where that was the price.
CREATE OR REPLACE FUNCTION transcript_line(
  p_prices jsonb, p_counter bigint, p_minutes bigint, p_priority text, p_requested text[], p_delivered text[]
) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_asr jsonb;
  v_sum numeric;
  v_modules numeric;
  v_sold jsonb;
  v_pack text := CASE p_priority WHEN 'economy' THEN 'pack_economy' ELSE 'pack' END;
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
  SELECT coalesce(sum((p_prices -> 'modules' ->> m)::numeric), 0),
         coalesce(jsonb_agg(jsonb_build_object('name', m, 'eur_per_hour', p_prices -> 'modules' ->> m) ORDER BY m), '[]')
  INTO v_modules, v_sold FROM unnest(p_delivered) m;
  IF (p_prices ->> v_pack)::numeric < v_modules
     AND (SELECT bool_and(k = ANY (p_requested)) FROM jsonb_object_keys(p_prices -> 'modules') k) THEN
    v_modules := (p_prices ->> v_pack)::numeric;
    v_sold := jsonb_build_array(jsonb_build_object('name', v_pack, 'eur_per_hour', p_prices ->> v_pack));
  END IF;

  -- In whole nano-euros, since a division by 60 has no exact decimal form to round.
  v_nano := (v_sum + p_minutes * v_modules) * 1e9;
  v_whole := div(v_nano, 60);
  v_rest := v_nano - v_whole * 60;
  IF v_rest > 30 OR (v_rest = 30 AND mod(v_whole, 2) <> 0) THEN
    v_whole := v_whole + 1;
  END IF;
  RETURN jsonb_build_object('eur', (v_whole * 1e-9)::numeric(20, 9)::text, 'asr', v_asr,
    'modules', v_sold, 'modules_eur_per_hour', v_modules::text);
END $$;
