-- The admission on record. Changes nothing.
-- KEYS: admissions. ARGV: sub. Returns now (ms) and the record's JSON, or '' without one.

return { server_now_ms(), redis.call('HGET', key.admissions, arg.sub) or '' }
