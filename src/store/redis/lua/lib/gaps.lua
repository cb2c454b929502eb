-- Gaps: positions that were never handed out. Lists of { from, to }, ascending. The twin of memory/gaps.ts.

-- Places in (low, high] that were handed out, or will be: positions less gaps.
local function places_between(gaps, low, high)
  local places = math.max(0, high - low)
  for _, gap in ipairs(gaps) do
    local overlap = math.min(gap[2], high) - math.max(gap[1] - 1, low)
    if overlap > 0 then places = places - overlap end
  end
  return places
end

local function move_up(gaps, at, rest)
  for _, gap in ipairs(gaps) do
    if gap[2] > at then
      local before = math.max(0, gap[1] - 1 - at)
      if rest <= before then break end
      rest = rest - before
      at = gap[2]
    end
  end
  return at + rest
end

local function move_down(gaps, at, rest)
  for i = #gaps, 1, -1 do
    local gap = gaps[i]
    if gap[1] <= at then
      local above = math.max(0, at - gap[2])
      if rest <= above then break end
      rest = rest - above
      at = gap[1] - 1
    end
  end
  return math.max(0, at - rest)
end

-- The counter after moving it from `start` over `by` places; gaps cost nothing. Never below 0.
local function move_over(gaps, start, by)
  if by >= 0 then return move_up(gaps, start, by) end
  return move_down(gaps, start, -by)
end

-- Sorted, joined where they touch, the highest 32 kept.
local function normalize_gaps(gaps)
  local sorted = {}
  for _, gap in ipairs(gaps) do
    if gap[1] <= gap[2] then sorted[#sorted + 1] = gap end
  end
  table.sort(sorted, function(a, b) return a[1] < b[1] end)
  local joined = {}
  for _, gap in ipairs(sorted) do
    local last = joined[#joined]
    if last and gap[1] <= last[2] + 1 then last[2] = math.max(last[2], gap[2])
    else joined[#joined + 1] = { gap[1], gap[2] } end
  end
  while #joined > 32 do table.remove(joined, 1) end
  return joined
end

-- What is left of `gaps` when another memory with its own list also knows the positions up to `queued`:
-- a gap only ever shrinks, so where both know, both must agree. Some may come out empty.
local function agreed_gaps(gaps, others, queued)
  local agreed = {}
  for _, gap in ipairs(gaps) do
    agreed[#agreed + 1] = { math.max(gap[1], queued + 1), gap[2] }
    for _, other in ipairs(others) do
      agreed[#agreed + 1] = { math.max(gap[1], other[1]), math.min(gap[2], other[2]) }
    end
  end
  return agreed
end

-- The last position that a memory knows to have been handed out: its queue counter may be rounded up, with a gap behind that
-- position.
local function last_handed_out(gaps, queued)
  local sorted = normalize_gaps(gaps)
  local top = sorted[#sorted]
  return top and top[2] >= queued and math.min(queued, top[1] - 1) or queued
end

local gap_text, gap_list = '', {}

-- The room's gaps. Not to be changed in place.
local function room_gaps()
  if room.gaps ~= gap_text then gap_text, gap_list = room.gaps, decode_list(room.gaps) end
  return gap_list
end

-- Places that were handed out and not served.
local function people_waiting()
  return places_between(room_gaps(), room.serving, room.queued)
end
