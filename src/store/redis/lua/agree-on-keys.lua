-- Lays down the fingerprints of the keys that all processes share, and answers those laid down before.
-- KEYS: fingerprints. ARGV: offered (JSON); replace ('1' or '0'). Returns the fingerprints (JSON).

local agreed = redis.call('GET', key.fingerprints)
if not agreed or arg.replace == '1' then
  redis.call('SET', key.fingerprints, arg.offered)
  agreed = arg.offered
end
return { agreed }
