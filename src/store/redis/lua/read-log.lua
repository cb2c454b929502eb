-- Rows of the admission log behind a number, oldest first. Changes nothing. See core/admission-log.ts.
-- ARGV: request: { after, limit }. Returns as `reply`: `LogTexts`.

load({ 'log_last', 'log_sealed_seq', 'log_sealed_hash', 'log_base_seq', 'log_base_hash' })
return reply(read_log_texts(request.after, request.limit))
