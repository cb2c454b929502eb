-- What processes remember of draws. `theirs`: as told, with gaps as lists of objects. The twin of memory/draw-merge.ts.

-- A draw as remembered, as it is kept.
local function as_draw(theirs)
  local gaps = {}
  for i, gap in ipairs(theirs.gaps) do gaps[i] = { gap.from, gap.to } end
  return {
    id = theirs.id, stage = theirs.stage, keyId = theirs.keyId, commitment = theirs.commitment,
    chain = number_or_nil(theirs.chain), usesBeacon = theirs.usesBeacon,
    first = theirs.first, last = theirs.last, gaps = gaps,
    closesMs = theirs.closesMs, seed = theirs.seed, beacon = number_or_nil(theirs.beacon), atFlowMs = 0,
  }
end

local function remembered_draws(memory)
  local draws = {}
  for i, theirs in ipairs(memory.draws or {}) do draws[i] = as_draw(theirs) end
  return draws
end

local function is_further(theirs, own)
  return draw_progress(theirs) > (own and draw_progress(own) or 0)
end

-- Whether a memory knows that a draw has come further than the room does. One that was forgotten for its age is no news.
local function knows_more_of_draws(memory)
  if not memory.draws or #memory.draws == 0 then return false end
  local draws = room.draws
  local oldest = #draws < 16 and 0 or draws[1].id
  for _, theirs in ipairs(memory.draws) do
    if theirs.id >= oldest and is_further(theirs, draw_of(draws, theirs.id)) then return true end
  end
  return false
end

-- What a late memory knows better of draws that take entries: that they began before, with what was committed to then.
local function correct_draws(memory)
  if not memory.draws or #memory.draws == 0 then return end
  local draws = room.draws
  for _, theirs in ipairs(memory.draws) do
    local own = draw_of(draws, theirs.id)
    if own and draw_progress(own) == 1 and draw_progress(theirs) == 1 and theirs.first < own.first then
      own.first, own.keyId, own.commitment = theirs.first, theirs.keyId, theirs.commitment
      own.chain, own.usesBeacon = number_or_nil(theirs.chain), theirs.usesBeacon
    end
  end
  if #draws > 0 then put_draws(draws) end
end

-- Whether gaps among the numbers have become one behind the entries.
local function are_moved(draw)
  return draw ~= nil and (draw.stage == 'closed' or draw.stage == 'drawn')
end

local function are_same(known, draw)
  if not are_moved(known) then return not are_moved(draw) end
  return are_moved(draw) and known.first == draw.first and known.last == draw.last
end

-- Gaps as one side knew them, with its draws, by the draws as merged.
local function gaps_after_merge(gaps, before, merged)
  for _, draw in ipairs(merged) do
    local known = draw_of(before, draw.id)
    if not are_same(known, draw) then
      if are_moved(known) then gaps = gaps_by_draw(gaps, known, true) end
      if are_moved(draw) then gaps = gaps_by_draw(gaps, draw, false) end
    end
  end
  return gaps
end

-- What others remember of the draws of this edition: of each the record that has come further. Answers their gaps by the draws
-- as merged; so are the room's own.
local function merge_draws(memory, their_gaps)
  local before, theirs = room.draws, remembered_draws(memory)
  if #before == 0 and #theirs == 0 then return their_gaps end
  local merged = {}
  for i, own in ipairs(before) do
    local better = draw_of(theirs, own.id)
    merged[i] = better and is_better(better, own) and better or own
    -- Its time goes by this flow clock.
    if merged[i] == better then better.atFlowMs = own.atFlowMs end
  end
  for _, draw in ipairs(theirs) do
    if not draw_of(merged, draw.id) then merged[#merged + 1] = draw end
  end
  table.sort(merged, function(a, b) return a.id < b.id end)
  put_draws(merged)
  set('gaps', gaps_after_merge(room.gaps, before, merged))
  return gaps_after_merge(their_gaps, theirs, merged)
end
