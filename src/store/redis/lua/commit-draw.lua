-- Publishes what binds the seed of the draw that waits for it, or of the next one.
-- KEYS: state, group, group_log, log, used_entries.
-- ARGV: life and what was seen of it; room; group; edition; id; key_id; commitment; chain (JSON).
-- Returns 'ok'. Invariant: of a draw that has begun the first commitment counts.

local refusal = enter({ 'draws', 'draw_marks' })
if refusal then return refusal end

local function commit(draws)
  local id, coming = tonumber(arg.id), coming_draw(draws)
  if id ~= (coming and coming.id or next_draw_id(draws)) then return end
  if coming and coming.first > 0 and coming.commitment ~= '' then return end
  local draw = coming or add_draw(draws)
  draw.keyId, draw.commitment = arg.key_id, arg.commitment
  draw.chain = cjson.decode(arg.chain)
  put_draws(draws)
end

if tonumber(arg.edition) == room.edition and room.edition > 0 then commit(room_draws()) end
save()
return { 'ok' }
