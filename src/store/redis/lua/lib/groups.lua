-- Shared outflows. key.group: hash of at_ms, flow_ms, log_total, tat_ms and `shares`
-- ('room:weight:counter:asked:demand:own limit or -,…', in the order in which they came); key.group_log: see
-- count-log.lua. Both keys are named by the shared outflow's id, which the caller gives as `group`; '' for none. The twin
-- of memory/groups.ts.

-- So long after a refusal a room counts as asking, and after people were seen in its line as having demand.
local asking_ms = 5000

-- Nil for a room without one. `own` is this room's share.
local group = nil

local function read_shares(text)
  local shares = {}
  local field = '([^:,]+)'
  local pattern = string.rep(field .. ':', 5) .. field
  for name, weight, counter, asked, demand, own_limit in string.gmatch(text, pattern) do
    shares[#shares + 1] = {
      name = name, weight = tonumber(weight), counter = tonumber(counter), asked_ms = tonumber(asked),
      demand_ms = tonumber(demand), own_limit = tonumber(own_limit),
    }
  end
  return shares
end

local function save_group()
  local shares = {}
  for i, share in ipairs(group.shares) do
    shares[i] = table.concat({
      share.name, text_of(share.weight), text_of(share.counter), text_of(share.asked_ms), text_of(share.demand_ms),
      text_of(share.own_limit or '-'),
    }, ':')
  end
  redis.call('HSET', key.group, 'at_ms', text_of(group.at_ms), 'flow_ms', text_of(group.flow_ms),
    'log_total', text_of(group.log_total), 'tat_ms', text_of(group.tat_ms), 'shares', table.concat(shares, ','))
end

-- Should the hash alone be lost: the total of the log that is there, and a clock by which none of it is too old.
local function restore_total()
  for _, entry in ipairs(read_log(group)) do
    group.log_total = group.log_total + entry[2]
    group.flow_ms = entry[1]
  end
end

-- Reads the shared outflow that the room takes part in, if any, and moves its clock.
local function enter_group()
  if room.shared_id == '' then
    if room.log_group ~= '' then set('log_group', '') end
    return
  end
  local fields = redis.call('HMGET', key.group, 'at_ms', 'flow_ms', 'log_total', 'tat_ms', 'shares')
  group = {
    at_ms = tonumber(fields[1] or room.at_ms), flow_ms = tonumber(fields[2] or room.at_ms),
    log_total = tonumber(fields[3] or 0), tat_ms = tonumber(fields[4] or 0), shares = read_shares(fields[5] or ''),
  }
  if not fields[1] then restore_total() end
  group.flow_ms = group.flow_ms + clamp_step(room.at_ms - group.at_ms)
  group.at_ms = room.at_ms
  prune_log(group)
  -- What the room admitted before counts too.
  if room.log_group ~= room.shared_id then
    add_log(group, room)
    set('log_group', room.shared_id)
  end
  -- A limit that was raised counts from now on, not from the slot that the old pace had reached.
  group.tat_ms = math.min(group.tat_ms, latest_tat(room.shared_limit, group.flow_ms, room.shared_limit))
  for _, share in ipairs(group.shares) do
    if share.name == arg.room then group.own = share end
  end
  if not group.own then
    group.own = { name = arg.room, counter = 0, asked_ms = 0, demand_ms = 0 }
    group.shares[#group.shares + 1] = group.own
  end
  group.own.weight = room.shared_weight
  group.own.own_limit = rate_per_minute()
  savers[#savers + 1] = save_group
end

local function is_recent(time_ms)
  return time_ms > 0 and group.flow_ms - time_ms <= asking_ms
end

-- A room's share of the shared limit among those with demand, by weight. What a limit of their own keeps others from
-- using goes to the rest.
local function share_of_limit()
  local open, left = {}, room.shared_limit
  for _, share in ipairs(group.shares) do
    if share == group.own or is_recent(share.demand_ms) then open[#open + 1] = share end
  end
  for _ = 1, #open do
    local weights = 0
    for _, share in ipairs(open) do weights = weights + share.weight end
    local rest, taken = {}, 0
    for _, share in ipairs(open) do
      local is_capped = share ~= group.own and share.own_limit and share.own_limit < left * share.weight / weights
      if is_capped then taken = taken + share.own_limit else rest[#rest + 1] = share end
    end
    if #rest == #open then return left * group.own.weight / weights end
    open, left = rest, left - taken
  end
  return left
end

-- The limit that binds the room for planning: its own rate, or its share of the shared limit.
local function plan_limit()
  local own = rate_per_minute()
  if not group then return own end
  local part = share_of_limit()
  return math.min(part, own or part)
end

local function note_demand(has_demand)
  if group and has_demand then group.own.demand_ms = group.flow_ms end
end

-- Whether another room is asking. One that is never refused would never ask, so nobody has a burst then.
local function do_others_ask()
  for _, share in ipairs(group.shares) do
    if share ~= group.own and is_recent(share.asked_ms) then return true end
  end
  return false
end

-- Whether the room has had so much more than its share that those who ask go first.
local function must_yield()
  local own = group.own
  local least = math.huge
  local weights = own.weight
  for _, share in ipairs(group.shares) do
    if share ~= own and is_recent(share.asked_ms) then
      least = math.min(least, share.counter)
      weights = weights + share.weight
    end
  end
  if least == math.huge then return false end
  -- Neither what it left to others counts for it, nor what nobody else wanted against it.
  if not is_recent(own.asked_ms) then own.counter = least end
  local lead = math.max(1, room.shared_limit * 4000 / 60000) / weights + 1 / own.weight
  return own.counter - math.min(least, own.counter) > lead
end

-- Milliseconds until the shared limit lets the (rank + 1)-th admission of the room through.
local function shared_delay(rank, nobody_waits)
  if not group then return 0 end
  local is_alone = nobody_waits and not do_others_ask()
  local slot_ms = limiter_slot(group, room.shared_limit, rank, is_alone, room.shared_limit) - group.flow_ms
  return must_yield() and math.max(slot_ms, 250) or slot_ms
end

local function shared_slots_now()
  if not group then return math.huge end
  if do_others_ask() then return 0 end
  return slots_now(group, room.shared_limit, room.shared_limit)
end

-- Whom its own limit keeps out is not asking for more of the shared one: others need not yield to it.
local function note_asking(is_own_limit)
  if group then group.own.asked_ms = is_own_limit and 0 or group.flow_ms end
end

-- Those who pass where there is no line use up the limit, and it is not their room that took from others.
local function record_shared(counts)
  if not group then return end
  record_admission(group, room.shared_limit, room.shared_limit)
  if counts then group.own.counter = group.own.counter + 1 / group.own.weight end
end
