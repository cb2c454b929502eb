-- Generated from src/core/groups.ts by `npm run lua`. Not to be edited.
-- Shared outflows: one limiter for several rooms, on a flow clock of its own. For planning, its limit is shared by weight among the rooms
-- that have people waiting. For claims, each admission adds 1 ÷ weight to its room's counter, and a room that is ahead of the least
-- counter of those asking (refused lately) must yield: so what one leaves, the others use.

--- Moves the clock of the shared outflow that the room takes part in, and says in it what the room's part is.
local function open_group()
  local group = group
  if group == nil then
    return
  end
  local limit = room.shared_limit or 1
  put(group, "flow_ms", group.flow_ms + clamp_step(room.at_ms - group.at_ms))
  put(group, "at_ms", room.at_ms)
  prune_log(group)
  if room.log_group ~= room.shared_id then
    add_log(group, room)
    set("log_group", room.shared_id)
  end
  put(group, "tat_ms", math.min(group.tat_ms, latest_tat(limit, group.flow_ms, limit)))
  group.own.weight = room.shared_weight or 1
  group.own.ownLimit = rate_per_minute()
end

local function is_recent(group, time_ms)
  return time_ms > 0 and group.flow_ms - time_ms <= 5000
end

local function weight_of(shares)
  local weight = 0
  for _, share in ipairs(shares) do
    weight = weight + share.weight
  end
  return weight
end

--- A room's share of the shared limit among those with demand, by weight. What a limit of their own keeps others from using
-- goes to the rest.
local function share_of_limit(group, limit)
  local room_share = group.own
  local open = filter_list(
    group.shares,
    function(share) return share == room_share or is_recent(group, share.demandMs) end
  )
  local left = limit
  local is_settled = false
  while not is_settled do
    local weights = weight_of(open)
    local rest = {}
    local taken = 0
    for _, share in ipairs(open) do
      local most = share ~= room_share and share.ownLimit ~= nil and share.ownLimit or left
      if most < left * share.weight / weights then
        taken = taken + most
      else
        rest[#rest + 1] = share
      end
    end
    if #rest == #open then
      is_settled = true
    else
      open = rest
      left = left - taken
    end
  end
  return left * room_share.weight / weight_of(open)
end

--- The limit that binds the room for planning: its own rate, or its share of the shared limit; null for none.
local function plan_limit()
  local rate = rate_per_minute()
  if group == nil or room.shared_limit == nil then
    return rate
  end
  local part = share_of_limit(group, room.shared_limit)
  return math.min(part, rate or part)
end

local function record_demand(has_demand)
  if group ~= nil and has_demand then
    group.own.demandMs = group.flow_ms
  end
end

--- Whether another room is asking. One that is never refused would never ask, so nobody has a burst then.
local function do_others_contend(group)
  return is_any(
    group.shares,
    function(share) return share ~= group.own and is_recent(group, share.askedMs) end
  )
end

--- Whether the room has had so much more than its share that those who ask go first.
local function must_yield(group, limit)
  local room_share = group.own
  local least = nil
  local weights = room_share.weight
  for _, share in ipairs(group.shares) do
    if share ~= room_share and is_recent(group, share.askedMs) then
      least = math.min(least or share.counter, share.counter)
      weights = weights + share.weight
    end
  end
  if least == nil then
    return false
  end
  if not is_recent(group, room_share.askedMs) then
    room_share.counter = least
  end
  local lead = math.max(1, limit * 4000 / 60000) / weights + 1 / room_share.weight
  return room_share.counter - math.min(least, room_share.counter) > lead
end

--- Milliseconds until the shared limit lets the (rank + 1)-th admission of the room through.
local function shared_delay(rank, nobody_waits)
  local group = group
  if group == nil or room.shared_limit == nil then
    return 0
  end
  local limit = room.shared_limit
  local is_alone = nobody_waits and not do_others_contend(group)
  local slot_ms = limiter_slot(group, limit, rank, is_alone, limit) - group.flow_ms
  return must_yield(group, limit) and math.max(slot_ms, 250) or slot_ms
end

--- How many admissions the shared limit has room for at this moment; null without one.
local function shared_slots_now()
  if group == nil or room.shared_limit == nil then
    return nil
  end
  return do_others_contend(group) and 0 or slots_now(group, room.shared_limit, room.shared_limit)
end

--- Whom its own limit keeps out is not asking for more of the shared one: others need not yield to it.
local function record_contention(is_room_limited)
  if group ~= nil then
    group.own.askedMs = is_room_limited and 0 or group.flow_ms
  end
end

---
-- @param counts Those who pass where there is no line use up the limit, and it is not their room that took from others.
local function record_shared(counts)
  local group = group
  if group == nil or room.shared_limit == nil then
    return
  end
  record_admission(group, room.shared_limit, room.shared_limit)
  local room_share = group.own
  if counts then
    room_share.counter = room_share.counter + 1 / room_share.weight
  end
end
