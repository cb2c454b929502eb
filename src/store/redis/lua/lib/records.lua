-- Records of oidc-provider: hashes of `payload`, `expires_ms`, `consumed` (s, once it is), `consumed_by` (where somebody said so) and `run_id` (of those that
-- fall with the server's run).

-- Whether the record is there, has not expired, and is of this run if it is bound to one.
local function is_valid(record)
  local expires_ms, of_run = unpack(redis.call('HMGET', record, 'expires_ms', 'run_id'))
  if not expires_ms or tonumber(expires_ms) <= server_now_ms() then return false end
  return not of_run or of_run == run_id()
end
