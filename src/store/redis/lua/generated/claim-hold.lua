-- Generated from src/core/claim-hold.ts by `npm run lua`. Not to be edited.
-- What keeps a served place from being claimed now.

local function room_delay(rank, nobody_waits)
  local rate = rate_per_minute()
  if room.limit == nil or rate == nil then
    return 0
  end
  return limiter_slot(room, room.limit, rank, nobody_waits, rate) - room.flow_ms
end

local function retry_after_ms(ms)
  local whole_ms = math.max(100, math.ceil(ms))
  return whole_ms <= 4000 and whole_ms or math.min(4000, math.ceil(whole_ms / 2))
end

--- What keeps a served place from being claimed now; null for nothing. The log must have been pruned.
--
-- @param rank pending claims of lower positions; they go first
local function claim_hold(rank)
  local free = capacity_free()
  local nobody_waits = room.serving >= room.queued and rank == 0
  local slot_ms = room_delay(rank, nobody_waits)
  local limit_ms = is_limited() and math.max(slot_ms, shared_delay(rank, nobody_waits)) or 0
  local is_room_limited = slot_ms > 0
  if is_on_hold() then
    return {
      by = "recovery",
      retryMs = retry_after_ms(math.max(limit_ms, room.hold_until_ms - room.flow_ms)),
      isRoomLimited = is_room_limited
    }
  end
  if free ~= nil and rank >= free then
    return {by = "capacity", retryMs = 2000, isRoomLimited = is_room_limited}
  end
  if limit_ms > 0 then
    return {by = "limit", retryMs = retry_after_ms(limit_ms), isRoomLimited = is_room_limited}
  end
  return nil
end
