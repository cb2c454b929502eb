-- Generated from src/core/admissions/lapses.ts by `npm run lua`. Not to be edited.
-- Until when how many admissions are live: the same rule in a store and for checkpoints.

local function is_later(one, other)
  return one.untilMs > other.untilMs
end

--- Merges what two memories say of the same admissions: at each time as many are live as the higher of both says. So a memory of
-- a busier time does not hide admissions that last longer. The result is in ascending order.
local function merge_lapses(a, b)
  local of_both = {}
  for _, lapse in ipairs(a) do
    of_both[#of_both + 1] = {untilMs = lapse[1], inA = lapse[2], inB = 0}
  end
  for _, lapse in ipairs(b) do
    of_both[#of_both + 1] = {untilMs = lapse[1], inA = 0, inB = lapse[2]}
  end
  sort_by(of_both, is_later)
  local latest_first = {}
  local live_in_a = 0
  local live_in_b = 0
  local live = 0
  for _, change in ipairs(of_both) do
    live_in_a = live_in_a + change.inA
    live_in_b = live_in_b + change.inB
    local more = math.max(live_in_a, live_in_b) - live
    live = live + more
    local last = latest_first[#latest_first]
    if last ~= nil and last[1] == change.untilMs then
      latest_first[#latest_first] = {last[1], last[2] + more}
    elseif more > 0 then
      latest_first[#latest_first + 1] = {change.untilMs, more}
    end
  end
  local ascending = {}
  while #latest_first > 0 do
    local latest = table.remove(latest_first)
    if latest ~= nil then
      ascending[#ascending + 1] = latest
    end
  end
  return ascending
end
