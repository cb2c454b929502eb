-- Moves a mark of the admission log on, if it still stands where the caller saw it. See core/admission-log.ts.
-- ARGV: request: { mark, from, to }. Returns as `reply` whether it did.

local is_moved = move_log_mark(request.mark, request.from, request.to)
save()
return reply(is_moved)
