-- Reads a record of oidc-provider. Changes nothing.
-- KEYS: record. ARGV: run (whose records count as this one's, or ''). Returns 'found', the payload (JSON, '' without one), when it was consumed (s, or ''), by whom
-- (or ''), and, where it is bound to a run, when it was written by the server's clock (ms, else '') and the last loss that its writer knew of (ms, else '');
-- or 'elsewhere', see of_other_run.

local valid, of_run = is_valid(key.record, arg.run)
if of_run then return of_other_run(key.record, of_run) end
if not valid then return { 'found', '', '', '', '', '' } end
local payload, consumed, by, written_ms, lost_ms =
  unpack(redis.call('HMGET', key.record, 'payload', 'consumed', 'consumed_by', 'written_ms', 'lost_ms'))
return { 'found', payload or '', consumed or '', by or '', written_ms or '', lost_ms or '' }
