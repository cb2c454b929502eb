-- Rows of the admission log behind a number, oldest first. Changes nothing. See core/admission-log.ts.
-- ARGV: request: { after, limit }. Returns as `reply`: `LogTexts`.

return reply(read_log_texts(request.after, request.limit))
