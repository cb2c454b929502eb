-- Uses up a record of oidc-provider again, which an older copy of the data may have as it was before.
-- KEYS: record. ARGV: how ('consumed' or 'gone'). Returns 'marked'.

if arg.how == 'gone' then
  redis.call('DEL', key.record)
elseif redis.call('EXISTS', key.record) == 1 then
  redis.call('HSETNX', key.record, 'consumed', string.format('%.0f', math.floor(server_now_ms() / 1000)))
end
return { 'marked' }
