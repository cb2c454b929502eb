-- Generated from src/core/draw/progress.ts by `npm run lua`. Not to be edited.
-- Which record of a draw has come further: wherever such are merged, in a store and among a process's checkpoints.

--- Whether entries may still be taken, now or later; there is one such draw at most, the last one.
local function is_coming(draw)
  return draw.stage == "committed" or draw.stage == "closing"
end

--- How far a draw has come for good: 0 when nobody can have entered; begun and committed to: 1; then closed, cancelled, drawn.
local function draw_progress(draw)
  if is_coming(draw) then
    return draw.first > 0 and draw.commitment ~= "" and 1 or 0
  end
  if draw.stage == "closed" then
    return 2
  end
  return draw.stage == "cancelled" and 3 or 4
end

--- Of two that have begun the one that began at the lower number, with what was committed to then; of two fixed ones the longer.
local function is_better(draw, other)
  local by = draw_progress(draw) - draw_progress(other)
  if by ~= 0 then
    return by > 0
  end
  if draw_progress(other) > 1 then
    return draw.last > other.last
  end
  if draw_progress(other) == 1 and draw.first ~= other.first then
    return draw.first < other.first
  end
  if draw.stage ~= other.stage then
    return draw.stage == "closing"
  end
  return draw.first > other.first or draw.first == other.first and other.commitment == "" and draw.commitment ~= ""
end
