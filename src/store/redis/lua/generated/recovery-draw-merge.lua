-- Generated from src/core/recovery/draw-merge.ts by `npm run lua`. Not to be edited.
-- What processes remember of draws: of each the record that has come further counts.

local function are_moved(draw)
  return draw.stage == "closed" or draw.stage == "drawn"
end

local function are_moved_alike(earlier, draw)
  if earlier == nil or not are_moved(earlier) then
    return not are_moved(draw)
  end
  return are_moved(draw) and earlier.first == draw.first and earlier.last == draw.last
end

--- Gaps as one side knew them, with its draws, by the draws as merged.
local function gaps_after_merge(gaps, before, merged)
  local all = gaps
  for _, draw in ipairs(merged) do
    local earlier = draw_of(before, draw.id)
    if not are_moved_alike(earlier, draw) then
      if earlier ~= nil and are_moved(earlier) then
        all = gaps_by_draw(all, earlier, true)
      end
      if are_moved(draw) then
        all = gaps_by_draw(all, draw, false)
      end
    end
  end
  return all
end

--- Whether a memory knows that a draw has come further than the room does. One that was forgotten for its age is no news.
local function knows_more_of_draws(theirs)
  local first = room.draws[1]
  local oldest = (first == nil or #room.draws < 16) and 0 or first.id
  for _, draw in ipairs(theirs) do
    local ours = draw_of(room.draws, draw.id)
    local reached = ours == nil and 0 or draw_progress(ours)
    if draw.id >= oldest and draw_progress(draw) > reached then
      return true
    end
  end
  return false
end

--- What a late memory knows better of draws that take entries: that they began before, with what was committed to then.
local function correct_draws(theirs)
  if #room.draws == 0 then
    return
  end
  for _, draw in ipairs(theirs) do
    local ours = draw_of(room.draws, draw.id)
    if ours ~= nil and draw_progress(ours) == 1 and draw_progress(draw) == 1 and draw.first < ours.first then
      ours.first = draw.first
      ours.keyId = draw.keyId
      ours.commitment = draw.commitment
      ours.chain = draw.chain
      ours.usesBeacon = draw.usesBeacon
    end
  end
  put_draws(room.draws)
end

local function is_older(a, b)
  return a.id < b.id
end

--- What others remember of the draws of this edition; its times go by this flow clock. The room's gaps are by the draws as merged.
local function merge_draws(theirs)
  local before = room.draws
  if #before == 0 and #theirs == 0 then
    return
  end
  local merged = {}
  for _, ours in ipairs(before) do
    local other = draw_of(theirs, ours.id)
    if other ~= nil and is_better(other, ours) then
      other.atFlowMs = ours.atFlowMs
      merged[#merged + 1] = other
    else
      merged[#merged + 1] = ours
    end
  end
  for _, other in ipairs(theirs) do
    if draw_of(merged, other.id) == nil then
      merged[#merged + 1] = other
    end
  end
  sort_by(merged, is_older)
  put_draws(merged)
  set("gaps", gaps_after_merge(room.gaps, before, merged))
end
