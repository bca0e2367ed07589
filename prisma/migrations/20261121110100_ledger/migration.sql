-- Double entry in NUMERIC(20,9). Accounts of an organization: funding (what was paid in, negative), balance
-- (spendable), held (reserved for work under way) and revenue (earned). Every transaction sums to zero, entries are
-- never changed, and neither balance nor held can fall below zero: the database itself refuses.

CREATE TABLE ledger_accounts (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  account text NOT NULL CHECK (account IN ('funding', 'balance', 'held', 'revenue')),
  total numeric(20, 9) NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, account),
  CONSTRAINT ledger_accounts_not_overdrawn CHECK (account = 'funding' OR total >= 0)
);

CREATE TABLE ledger_transactions (
  id bigserial PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('topup', 'debit', 'hold', 'raise', 'release', 'charge', 'refund')),
  reference text NOT NULL,
  transcript_id text,
  refers_to bigint REFERENCES ledger_transactions (id) ON DELETE RESTRICT,
  month char(7) NOT NULL CHECK (month ~ '^\d{4}-\d{2}$'),
  detail jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CHECK ((kind = 'refund') = (refers_to IS NOT NULL))
);
CREATE UNIQUE INDEX ledger_transactions_organization_id_reference_key ON ledger_transactions (organization_id, reference);
CREATE UNIQUE INDEX ledger_transactions_id_organization_id_key ON ledger_transactions (id, organization_id);
CREATE INDEX ledger_transactions_organization_id_month_idx ON ledger_transactions (organization_id, month);
CREATE INDEX ledger_transactions_refers_to_idx ON ledger_transactions (refers_to);

CREATE TABLE ledger_entries (
  transaction_id bigint NOT NULL,
  organization_id uuid NOT NULL,
  account text NOT NULL,
  amount numeric(20, 9) NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (transaction_id, account),
  -- Both keys carry the organization, so that no transaction can move money between two of them.
  FOREIGN KEY (transaction_id, organization_id) REFERENCES ledger_transactions (id, organization_id) ON DELETE RESTRICT,
  FOREIGN KEY (organization_id, account) REFERENCES ledger_accounts (organization_id, account) ON DELETE RESTRICT
);

CREATE TABLE billed_minutes (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  month char(7) NOT NULL CHECK (month ~ '^\d{4}-\d{2}$'),
  minutes bigint NOT NULL DEFAULT 0 CHECK (minutes >= 0),
  PRIMARY KEY (organization_id, month)
);

CREATE FUNCTION open_ledger_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_accounts (organization_id, account)
  SELECT NEW.id, unnest(ARRAY['funding', 'balance', 'held', 'revenue']);
  RETURN NULL;
END $$;
CREATE TRIGGER open_ledger_accounts AFTER INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION open_ledger_accounts();

CREATE FUNCTION check_ledger_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_id bigint := CASE TG_TABLE_NAME WHEN 'ledger_entries' THEN to_jsonb(NEW) ->> 'transaction_id' ELSE to_jsonb(NEW) ->> 'id' END;
  v_sum numeric;
  v_count bigint;
BEGIN
  SELECT coalesce(sum(amount), 0), count(*) INTO v_sum, v_count FROM ledger_entries WHERE transaction_id = v_id;
  IF v_sum <> 0 OR v_count < 2 THEN
    RAISE EXCEPTION 'ledger transaction % has % entries that sum to %, not to 0', v_id, v_count, v_sum
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
-- Deferred: a transaction is only whole at commit.
CREATE CONSTRAINT TRIGGER ledger_entries_sum_to_zero AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();
CREATE CONSTRAINT TRIGGER ledger_transactions_sum_to_zero AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();

CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

-- Rounds half to even, as money on the wire and on invoices is; numeric's own round() goes half away from zero.
CREATE FUNCTION round_half_even(p_value numeric, p_places integer) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  WITH scaled AS (SELECT p_value * ('1e' || p_places)::numeric AS s),
       parts AS (SELECT floor(s) AS f, s - floor(s) AS rest FROM scaled)
  SELECT (CASE WHEN rest > 0.5 OR (rest = 0.5 AND mod(f, 2) <> 0) THEN f + 1 ELSE f END) * ('1e-' || p_places)::numeric
  FROM parts
$$;

-- Posts one transaction. p_entries is {"account": "signed amount", …}; zero amounts are left out, and where all are
-- zero nothing is posted. The caller holds the organization's row lock. A used reference fails on the unique index.
CREATE FUNCTION ledger_post(
  p_organization uuid, p_kind text, p_reference text, p_transcript text, p_refers_to bigint, p_month text,
  p_detail jsonb, p_entries jsonb
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_id bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM jsonb_each_text(p_entries) e WHERE e.value::numeric <> 0) THEN
    RETURN NULL;
  END IF;
  INSERT INTO ledger_transactions (organization_id, kind, reference, transcript_id, refers_to, month, detail)
  VALUES (p_organization, p_kind, p_reference, p_transcript, p_refers_to, p_month, p_detail)
  RETURNING id INTO v_id;
  INSERT INTO ledger_entries (transaction_id, organization_id, account, amount)
  SELECT v_id, p_organization, e.key, e.value::numeric FROM jsonb_each_text(p_entries) e WHERE e.value::numeric <> 0;
  UPDATE ledger_accounts a SET total = a.total + e.value::numeric
  FROM jsonb_each_text(p_entries) e
  WHERE a.organization_id = p_organization AND a.account = e.key AND e.value::numeric <> 0;
  RETURN v_id;
END $$;

CREATE FUNCTION ledger_total(p_organization uuid, p_account text) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT total FROM ledger_accounts WHERE organization_id = p_organization AND account = p_account
$$;
