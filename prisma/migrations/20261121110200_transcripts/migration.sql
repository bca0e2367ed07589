-- Transcripts, the work planned and done for them, and their results.

CREATE TABLE transcripts (
  id text PRIMARY KEY CHECK (id LIKE 'tr\_%'),
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE RESTRICT,
  -- No foreign key: it tells which key was used, and a key's row may one day be removed.
  api_key_id uuid,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'processing', 'completed', 'failed', 'cancelled')),
  priority text NOT NULL DEFAULT 'standard' CHECK (priority IN ('standard', 'economy')),
  created_at timestamptz(6) NOT NULL,
  month char(7) NOT NULL CHECK (month ~ '^\d{4}-\d{2}$'),
  deadline_at timestamptz(6) NOT NULL,
  file_id text,
  audio_url text,
  language text,
  language_hints text[] NOT NULL DEFAULT '{}',
  understanding jsonb NOT NULL DEFAULT '{}',
  modules text[] NOT NULL DEFAULT '{}',
  retention text NOT NULL CHECK (retention IN ('none', '24h', '7d', '30d')),
  expires_at timestamptz(6),
  metadata text NOT NULL DEFAULT '{}',
  custom_vocabulary text[] NOT NULL DEFAULT '{}',
  assumed_ms bigint NOT NULL CHECK (assumed_ms >= 0),
  estimated_eur numeric(20, 9) NOT NULL CHECK (estimated_eur >= 0),
  held_eur numeric(20, 9) NOT NULL CHECK (held_eur >= 0),
  raised_at timestamptz(6),
  started_at timestamptz(6),
  completed_at timestamptz(6),
  error_message text,
  detected_language text,
  language_confidence double precision,
  duration_ms bigint CHECK (duration_ms >= 0),
  speech_ms bigint CHECK (speech_ms >= 0),
  billed_minutes integer CHECK (billed_minutes > 0),
  cost_eur numeric(20, 9) CHECK (cost_eur >= 0),
  CONSTRAINT transcripts_one_source CHECK (num_nonnulls(file_id, audio_url) = 1),
  CONSTRAINT transcripts_final_holds_nothing CHECK (status IN ('queued', 'processing') OR held_eur = 0),
  CONSTRAINT transcripts_final_has_end CHECK ((completed_at IS NOT NULL) = (status NOT IN ('queued', 'processing'))),
  CONSTRAINT transcripts_failed_says_why CHECK ((error_message IS NOT NULL) = (status = 'failed'))
);
CREATE UNIQUE INDEX transcripts_organization_id_created_at_key ON transcripts (organization_id, created_at);
CREATE INDEX transcripts_file_id_idx ON transcripts (file_id);
-- The in-flight count under the organization's lock, and the sweeper's scan: only rows that are not final.
CREATE INDEX transcripts_organization_id_idx ON transcripts (organization_id) WHERE status IN ('queued', 'processing');
CREATE INDEX transcripts_created_at_idx ON transcripts (created_at) WHERE status IN ('queued', 'processing');

CREATE TABLE transcript_work (
  transcript_id text NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  queue text NOT NULL,
  planned_chunks integer NOT NULL CHECK (planned_chunks >= 0),
  planned_ms bigint NOT NULL CHECK (planned_ms >= 0),
  done_chunks integer NOT NULL DEFAULT 0 CHECK (done_chunks >= 0),
  done_ms bigint NOT NULL DEFAULT 0 CHECK (done_ms >= 0),
  PRIMARY KEY (transcript_id, queue)
);

CREATE TABLE transcript_results (
  transcript_id text PRIMARY KEY REFERENCES transcripts (id) ON DELETE CASCADE,
  text text NOT NULL,
  words text NOT NULL,
  utterances text NOT NULL,
  srt text NOT NULL,
  vtt text NOT NULL,
  txt text NOT NULL,
  speaker_role_confidence double precision NOT NULL CHECK (speaker_role_confidence BETWEEN 0 AND 1),
  understanding text NOT NULL DEFAULT '{}',
  pii text,
  warnings text[] NOT NULL DEFAULT '{}',
  metrics text NOT NULL DEFAULT '{}'
);
