-- Records of oidc-provider that are no plain texts (oidc-adapter.ts): hashes of `payload`, `expires_ms`, `consumed` (s, once it is), `consumed_by` (where somebody said so), and `run_id`,
-- `written_ms` and `lost_ms` (of those that fall with the server's run; the last is of the latest loss that the writer knew of).

-- Whether the record is there and has not expired; or false with the run that it is bound to, where that is neither this one nor `run`, an earlier one of
-- which the caller knows that nothing was lost.
local function is_valid(record, run)
  local expires_ms, of_run = unpack(redis.call('HMGET', record, 'expires_ms', 'run_id'))
  if not expires_ms or tonumber(expires_ms) <= server_now_ms() then return false end
  if not of_run or of_run == run or of_run == run_id() then return true end
  return false, of_run
end

-- Of a record that is bound to another run: that run, what this server says of itself, and for how long the record has been there (ms).
local function of_other_run(record, run)
  local age_ms = server_now_ms() - (tonumber(redis.call('HGET', record, 'written_ms')) or 0)
  return { 'elsewhere', run, redis.call('INFO', 'server') .. redis.call('INFO', 'replication'), string.format('%.0f', math.max(0, age_ms)) }
end
