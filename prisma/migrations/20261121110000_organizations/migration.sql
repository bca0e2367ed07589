-- Who uses the service: organizations, their members and keys, and the recordings they uploaded.

CREATE TABLE organizations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  default_retention text NOT NULL DEFAULT 'none' CHECK (default_retention IN ('none', '24h', '7d', '30d')),
  spend_cap_eur numeric(20, 9) CHECK (spend_cap_eur >= 0),
  credit_low_threshold_eur numeric(20, 9) CHECK (credit_low_threshold_eur >= 0),
  in_flight_limit integer NOT NULL DEFAULT 32 CHECK (in_flight_limit >= 0),
  requests_per_minute integer NOT NULL DEFAULT 300 CHECK (requests_per_minute >= 0),
  speech_slots integer NOT NULL DEFAULT 32 CHECK (speech_slots > 0),
  last_transcript_at timestamptz(6),
  created_at timestamptz(6) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX organizations_slug_key ON organizations (slug);

CREATE TABLE members (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  email text NOT NULL CHECK (email = lower(email) AND email LIKE '%_@_%'),
  role text NOT NULL CHECK (role IN ('owner', 'billing', 'developer', 'viewer')),
  created_at timestamptz(6) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX members_organization_id_email_key ON members (organization_id, email);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  name text NOT NULL DEFAULT '',
  hash bytea NOT NULL CHECK (length(hash) = 32),
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  ip_allowlist text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  revoked_at timestamptz(6)
);
CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash);
CREATE INDEX api_keys_organization_id_idx ON api_keys (organization_id);

CREATE TABLE files (
  id text PRIMARY KEY CHECK (id LIKE 'file\_%'),
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  filename text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  content_type text NOT NULL,
  format text,
  duration_ms bigint CHECK (duration_ms >= 0),
  channels integer CHECK (channels > 0),
  object_key text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT now(),
  expires_at timestamptz(6)
);
CREATE INDEX files_organization_id_idx ON files (organization_id);
