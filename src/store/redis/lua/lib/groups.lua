-- Shared outflows. key.group: hash of at_ms, flow_ms, log_total, tat_ms and `shares`
-- ('room:weight:counter:asked:demand:own limit or -,…', in the order in which they came); key.group_log: see
-- count-log.lua. Both keys are named by the shared outflow's id, which the caller gives as `group`; '' for none. See
-- core/groups.ts.

local function read_shares(text)
  local shares = {}
  local field = '([^:,]+)'
  local pattern = string.rep(field .. ':', 5) .. field
  for name, weight, counter, asked, demand, own_limit in string.gmatch(text, pattern) do
    shares[#shares + 1] = {
      name = name, weight = tonumber(weight), counter = tonumber(counter), askedMs = tonumber(asked),
      demandMs = tonumber(demand), ownLimit = tonumber(own_limit),
    }
  end
  return shares
end

local function save_group()
  local shares = {}
  for i, share in ipairs(group.shares) do
    shares[i] = table.concat({
      share.name, text_of(share.weight), text_of(share.counter), text_of(share.askedMs), text_of(share.demandMs),
      text_of(share.ownLimit or '-'),
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
  for _, share in ipairs(group.shares) do
    if share.name == arg.room then group.own = share end
  end
  if not group.own then
    group.own = { name = arg.room, counter = 0, askedMs = 0, demandMs = 0 }
    group.shares[#group.shares + 1] = group.own
  end
  open_group()
  savers[#savers + 1] = save_group
end
