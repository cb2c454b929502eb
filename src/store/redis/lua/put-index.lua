-- Points from a session's uid to the record's id.
-- KEYS: index. ARGV: id; ttl_ms. Returns 'written'.

redis.call('HSET', key.index, 'id', arg.id, 'expires_ms', string.format('%.0f', server_now_ms() + arg.ttl_ms))
redis.call('PEXPIRE', key.index, arg.ttl_ms)
return { 'written' }
