-- Voids a place for the rest of its edition.
-- KEYS: state, group, group_log, log, claimed_places, left_places, knocks, knock_times, held_times, held, holders.
-- ARGV: life; room; group; sub; edition; position.
-- Returns 'ok'. Invariant: a place that was left is not admitted. Idempotent.

local refusal = enter({})
if refusal then return refusal end

local position = tonumber(arg.position)
if tonumber(arg.edition) == room.edition and not is_elsewhere(position, arg.sub) then
  stop_knocking(position)
  -- Nobody holds a place that was not handed out yet. One that was claimed is used up already, and one counts once.
  if position <= room.queued and not has_position(key.claimed_places, position)
    and not has_position(key.left_places, position) then
    add_position(key.left_places, position)
    count('left', 1)
  end
end
save()
return { 'ok' }
