-- Voids a place with a tombstone, until it would have expired anyway.
-- KEYS: state, rows, left, knocks, knock_times, held_times.
-- ARGV: life; edition; position; joined_ms (claim clock).
-- Returns 'ok'. Invariant: a place that was left is not admitted. Idempotent.

local refusal = enter()
if refusal then return refusal end

local position, joined_ms = tonumber(arg.position), tonumber(arg.joined_ms)
if tonumber(arg.edition) == room.edition then
  stop_knocking(position)
  if position > room.serving or not has_lapsed(position, joined_ms) then
    redis.call('ZREMRANGEBYSCORE', key.left, text_of(position), text_of(position))
    redis.call('ZADD', key.left, text_of(position), text_of(position) .. ':' .. text_of(joined_ms))
  end
end
save()
return { 'ok' }
