-- The admission on record. Changes nothing.
-- KEYS: state, admissions. ARGV: sub.
-- Returns the record's JSON, or '' without one; now (ms); up to when admissions of the idle phase have ended (ms).

local idle_ended_ms = redis.call('HGET', key.state, 'idle_ended_ms')
return { redis.call('HGET', key.admissions, arg.sub) or '', server_now_ms(), idle_ended_ms or 0 }
