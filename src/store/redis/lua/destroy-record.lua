-- Removes a record of oidc-provider. KEYS: record. Returns the milliseconds that were left of it, or a negative number.

local left_ms = redis.call('PTTL', key.record)
redis.call('DEL', key.record)
return { left_ms }
