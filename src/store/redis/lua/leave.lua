-- Voids a place for the rest of its edition.
-- KEYS: state, rows, left_places, knocks, knock_times, held_times.
-- ARGV: life; edition; position.
-- Returns 'ok'. Invariant: a place that was left is not admitted. Idempotent.

local refusal = enter()
if refusal then return refusal end

local position = tonumber(arg.position)
if tonumber(arg.edition) == room.edition then
  stop_knocking(position)
  redis.call('SETBIT', key.left_places, text_of(position), 1)
end
save()
return { 'ok' }
