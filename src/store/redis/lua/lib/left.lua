-- Tombstones of places that were left. key.left: sorted set, score position, member 'position:joined' (claim clock).
-- The twin of memory/leave.ts.

local function has_lapsed(position, joined_ms)
  return room.claim_ms > math.max(joined_ms, served_at(position)) + room.claim_within_ms
end

-- Forgets tombstones of places that have expired; lower places lapse first.
local function prune_left(limit)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', key.left, '-inf', text_of(room.serving), 'LIMIT', 0, limit)) do
    local position, joined_ms = string.match(member, '^(%d+):(%d+)$')
    if not has_lapsed(tonumber(position), tonumber(joined_ms)) then return end
    redis.call('ZREM', key.left, member)
  end
end
