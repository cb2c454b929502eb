-- Records the fingerprints of the keys that all processes share, and answers those recorded before. Writes in any case:
-- a server that takes no writes is not there, whatever it answers.
-- KEYS: fingerprints. ARGV: offered (JSON); replace ('1' or '0'). Returns the fingerprints (JSON).

local agreed = redis.call('GET', key.fingerprints)
if not agreed or arg.replace == '1' then agreed = arg.offered end
redis.call('SET', key.fingerprints, agreed)
return { agreed }
