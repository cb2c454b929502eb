-- Generated from src/core/gaps.ts by `npm run lua`. Not to be edited.
-- Gaps: positions that were never handed out. Lists of them ascend.

local function move_up(gaps, start, by)
  local at = start
  local rest = by
  for _, gap in ipairs(gaps) do
    if gap[2] > at then
      local before = math.max(0, gap[1] - 1 - at)
      if rest <= before then
        break
      end
      rest = rest - before
      at = gap[2]
    end
  end
  return at + rest
end

local function move_down(gaps, start, by)
  local at = start
  local rest = by
  local index = #gaps - 1
  while index >= 0 do
    local gap = gaps[index + 1]
    if gap ~= nil and gap[1] <= at then
      local above = math.max(0, at - gap[2])
      if rest <= above then
        break
      end
      rest = rest - above
      at = gap[1] - 1
    end
    index = index - 1
  end
  return math.max(0, at - rest)
end

local function is_lower(a, b)
  return a[1] < b[1]
end

--- Sorted, joined where they touch.
local function join_gaps(gaps)
  local sorted = filter_list(
    gaps,
    function(gap) return gap[1] <= gap[2] end
  )
  sort_by(sorted, is_lower)
  local joined = {}
  for _, gap in ipairs(sorted) do
    local last = joined[#joined]
    if last ~= nil and gap[1] <= last[2] + 1 then
      joined[#joined] = {last[1], math.max(last[2], gap[2])}
    else
      joined[#joined + 1] = gap
    end
  end
  return joined
end

--- Places in (low, high] that were handed out, or will be: positions less gaps.
local function places_between(gaps, low, high)
  local places = math.max(0, high - low)
  for _, gap in ipairs(gaps) do
    local overlap = math.min(gap[2], high) - math.max(gap[1] - 1, low)
    if overlap > 0 then
      places = places - overlap
    end
  end
  return places
end

--- The counter after moving it from `start` over `by` places; gaps cost nothing. Never below 0.
local function move_over(gaps, start, by)
  return by >= 0 and move_up(gaps, start, by) or move_down(gaps, start, -by)
end

--- Sorted, joined where they touch, the highest 32 kept.
local function normalize_gaps(gaps)
  local joined = join_gaps(gaps)
  local beyond = #joined - 32
  if beyond <= 0 then
    return joined
  end
  local index = 0
  return filter_list(
    joined,
    function()
      index = index + 1
      return index > beyond
    end
  )
end

--- What is left of `gaps` when another memory with its own list also knows the positions up to `queued`:
-- a gap only ever shrinks, so where both know, both must agree. Some may come out empty.
local function agreed_gaps(gaps, others, queued)
  local agreed = {}
  for _, gap in ipairs(gaps) do
    agreed[#agreed + 1] = {math.max(gap[1], queued + 1), gap[2]}
    for _, other in ipairs(others) do
      agreed[#agreed + 1] = {math.max(gap[1], other[1]), math.min(gap[2], other[2])}
    end
  end
  return agreed
end

--- The last position that a memory knows to have been handed out: its queue counter may be rounded up, with a gap behind that position.
local function last_handed_out(gaps, queued)
  local sorted = normalize_gaps(gaps)
  local top = sorted[#sorted]
  return top ~= nil and top[2] >= queued and math.min(queued, top[1] - 1) or queued
end
