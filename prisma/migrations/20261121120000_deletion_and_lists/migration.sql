-- What a list with `status` reads: without it, a status that is rare or absent means every transcript of the
-- organization is looked at for one page.
CREATE INDEX transcripts_organization_id_status_created_at_idx ON transcripts (organization_id, status, created_at);

-- Outcomes: deleted, not_found, in_use (a queued or processing transcript reads it). The outbox row removes the object
-- even when the caller dies right after the commit, or cannot reach the store.
CREATE OR REPLACE FUNCTION delete_file(p_organization uuid, p_id text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_organization organizations := lock_organization(p_organization);
  v_key text;
BEGIN
  IF EXISTS (SELECT FROM transcripts WHERE organization_id = v_organization.id AND file_id = p_id AND status IN ('queued', 'processing')) THEN
    RETURN jsonb_build_object('outcome', 'in_use');
  END IF;
  DELETE FROM files WHERE id = p_id AND organization_id = v_organization.id RETURNING object_key INTO v_key;
  IF v_key IS NULL THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  INSERT INTO outbox (kind, organization_id, payload) VALUES ('file.delete', p_organization, jsonb_build_object('uploadKey', v_key));
  RETURN jsonb_build_object('outcome', 'deleted', 'object_key', v_key);
END $$;
