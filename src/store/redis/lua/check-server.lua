-- Tries what the other scripts need: the time, and INFO inside a script.
-- KEYS: fingerprints (any one key, so that a Cluster knows where to run this). Returns now (ms) and INFO of server and memory.

return { server_now_ms(), redis.call('INFO', 'server') .. redis.call('INFO', 'memory') }
