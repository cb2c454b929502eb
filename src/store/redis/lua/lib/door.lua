-- What keeps a served place from being claimed now. The twin of memory/door.ts.

-- In two halves what is too long for one: a page asks no more than once a second, and would come late for a short rest.
local function retry_ms(ms)
  local whole_ms = math.max(100, math.ceil(ms))
  if whole_ms <= 4000 then return whole_ms end
  return math.min(4000, math.ceil(whole_ms / 2))
end

-- Nil for nothing; else by what ('recovery', 'limit' or 'capacity'), when to ask again (ms), and whether the room's own
-- limit would keep the place out, whatever the shared one says. `rank`: how many knock at lower positions; they go
-- first. The log must have been pruned.
local function door_slot(rank)
  local free = capacity_free()
  local nobody_waits = room.serving >= room.queued and rank == 0
  local slot_ms = room.limit and limiter_slot(room, room.limit, rank, nobody_waits, rate_per_minute()) - room.flow_ms or 0
  local limit_ms = is_limited() and math.max(slot_ms, shared_delay(rank, nobody_waits)) or 0
  local is_own = slot_ms > 0
  if is_held() then return 'recovery', retry_ms(math.max(limit_ms, room.hold_until_ms - room.flow_ms)), is_own end
  if free and rank >= free then return 'capacity', 2000, is_own end
  if limit_ms > 0 then return 'limit', retry_ms(limit_ms), is_own end
end
