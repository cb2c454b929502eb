-- Answers the document in force, and takes the caller's if that is newer. The twin of memory/documents.ts.
-- KEYS: document. ARGV: offered_version (0: the caller remembers none); offered_digest; has_text ('1' or '0'); offered_text.
-- Returns 'none', 'unchanged', 'document' with version and text; or 'send': nothing was taken, offered_text is needed.
-- Invariant: the version never decreases, and of one version the greater text stays.

load_document()
local offered_version = tonumber(arg.offered_version)

if offered_version == 0 or offered_version < document.version then
  if document.version == 0 then return { 'none' } end
  return { 'document', string.format('%.0f', document.version), redis.call('HGET', key.document, 'text') }
end
if offered_version == document.version and arg.offered_digest == document.digest then return { 'unchanged' } end

-- The store has lost what the caller remembers; so it may have lost more. From now on, and not when the text has come.
if document.remaining_ms == 0 then begin_settling() end
if arg.has_text == '0' then return { 'send' } end
if offered_version == document.version then
  local text = redis.call('HGET', key.document, 'text')
  if not is_greater(arg.offered_text, text) then return { 'document', string.format('%.0f', document.version), text } end
end
write_document(offered_version, arg.offered_text, arg.offered_digest)
return { 'unchanged' }
