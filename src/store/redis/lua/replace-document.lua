-- Replaces the document if nobody else did since the caller saw it. The twin of memory/documents.ts.
-- KEYS: document. ARGV: expected_version (0: none was written); text; digest.
-- Returns 'ok' and the version; 'conflict'; 'settling' and the milliseconds that remain.
-- Invariant: of all who expect one version, one succeeds; nothing is replaced while others may know more.

load_document()
local expected_version = tonumber(arg.expected_version)

-- No trace of a document that the caller has seen.
if document.run_id == '' and expected_version > 0 then
  begin_settling()
  document.remaining_ms = 2500
end
if document.remaining_ms > 0 then return { 'settling', document.remaining_ms } end
if document.version ~= expected_version then return { 'conflict' } end
write_document(expected_version + 1, arg.text, arg.digest)
return { 'ok', string.format('%.0f', expected_version + 1) }
