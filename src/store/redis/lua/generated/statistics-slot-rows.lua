-- Generated from src/core/statistics/slot-rows.ts by `npm run lua`. Not to be edited.
-- How rows of slots are put into their ring; what a row says stands in statistics.ts.

local function fitting(count)
  return math.max(-8388607, math.min(8388607, count))
end

--- The members of both, added up or taken off. The first has no fewer.
local function combined(one, other, sign)
  local sums = {}
  for _, value in ipairs(one) do
    sums[#sums + 1] = value + sign * (other[#sums + 1] or 0)
  end
  return sums
end

local function mark_of(last, quiet, gauges)
  local mark = {last, quiet}
  for _, gauge in ipairs(gauges) do
    mark[#mark + 1] = gauge
  end
  return mark
end

local function is_quiet(row, mark)
  if row.flags ~= 0 or is_any(
    row.counted,
    function(count) return count ~= 0 end
  ) then
    return false
  end
  local index = 2
  for _, gauge in ipairs(row.gauges) do
    if gauge ~= mark[index + 1] then
      return false
    end
    index = index + 1
  end
  return true
end

local function keep_quiet(ring, size, last, quiet)
  if quiet == 0 then
    return
  end
  local row = read_slot(ring, size, last)
  if row == nil then
    return
  end
  row.quiet = math.max(row.quiet, quiet)
  write_slot(ring, size, last, row)
end

local function add_earlier(row, earlier)
  row.flags = math.max(row.flags, earlier.flags, 1)
  row.quiet = earlier.quiet
  row.counted = map_list(
    combined(row.counted, earlier.counted, 1),
    function(count) return fitting(count) end
  )
end

--- Answers the mark: the last slot that has a row, how many behind it were quiet, and its gauges.
local function put_row(ring, size, mark, slot, row, quiet_most)
  local last = mark[1] or 0
  local quiet = mark[2] or 0
  if slot == last + quiet + 1 and quiet < quiet_most and is_quiet(row, mark) then
    return mark_of(last, quiet + 1, row.gauges)
  end
  keep_quiet(ring, size, last, quiet)
  local existing = read_slot(ring, size, slot)
  if existing ~= nil then
    add_earlier(row, existing)
  end
  write_slot(ring, size, slot, row)
  return mark_of(slot, 0, row.gauges)
end
