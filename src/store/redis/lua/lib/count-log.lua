-- Bindings of core/ports/lists.ts: how many, by time, oldest first, in a list of 'at:count'.

local function log_of(limiter)
  return limiter == room and key.log or key.group_log
end

local function parse_entry(text)
  if not text then return nil end
  local at_ms, count_there = string.match(text, '^(%d+):(%d+)$')
  return { tonumber(at_ms), tonumber(count_there) }
end

local function entry_text(entry)
  return string.format('%.0f:%.0f', entry[1], entry[2])
end

local function oldest_entry(log)
  return parse_entry(redis.call('LINDEX', log, 0))
end

local function newest_entry(log)
  return parse_entry(redis.call('LINDEX', log, -1))
end

local function drop_oldest(log)
  redis.call('LPOP', log)
end

local function append_entry(log, entry)
  redis.call('RPUSH', log, entry_text(entry))
end

local function replace_newest(log, entry)
  redis.call('LSET', log, -1, entry_text(entry))
end

local function entries_from(log, start, most)
  local entries = redis.call('LRANGE', log, start, start + most - 1)
  for i, text in ipairs(entries) do entries[i] = parse_entry(text) end
  return entries
end

local function replace_entries(log, entries)
  redis.call('DEL', log)
  local texts = {}
  for i, entry in ipairs(entries) do texts[i] = entry_text(entry) end
  for first = 1, #texts, 1000 do
    redis.call('RPUSH', log, unpack(texts, first, math.min(first + 999, #texts)))
  end
end
