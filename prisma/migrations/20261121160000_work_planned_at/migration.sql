-- Since when a queue is asked for: what an operator shows as the time that work has waited.
ALTER TABLE transcript_work ADD COLUMN planned_at timestamptz(6) NOT NULL DEFAULT now();
