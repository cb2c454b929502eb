-- Generated from src/core/draw/draws.ts by `npm run lua`. Not to be edited.
-- The room's draws of this edition: from the prequeue that takes entries to the record that fixes their order.
-- A prequeue of a room that draws begins one at the next number (going back to it goes on with one that takes entries). At the opening
-- entries are taken for 5 s more; then the last number is fixed, and 2.5 s later, when every process knows it, the order, or after 30 s
-- where an announced beacon is not given. Until then nothing is served but by an operator, and the claim clock stands still. A draw
-- without a commitment is dropped at the opening, since nobody can have entered; passthrough and ended cancel one, a reset drops all.

local function stage_mark(stage)
  if stage == "committed" then
    return 1
  end
  if stage == "closing" then
    return 2
  end
  if stage == "closed" then
    return 3
  end
  return stage == "cancelled" and 4 or 5
end

local function is_fixed(draw)
  return draw.stage == "closed" or draw.stage == "drawn"
end

local function behind_entries(draw)
  return draw.first + places_between(draw.gaps, draw.first - 1, draw.last)
end

--- Keeps the draws, and what hot operations go by.
local function put_draws(draws)
  while #draws > 16 do
    table.remove(draws, 1)
  end
  set("draws", draws)
  set(
    "draw_marks",
    map_list(
      draws,
      function(draw) return {
        draw.id,
        stage_mark(draw.stage),
        draw.first,
        draw.last,
        draw.atFlowMs,
        draw.commitment == "" and 0 or 1,
        is_fixed(draw) and behind_entries(draw) or 0
      } end
    )
  )
  follow_draws()
end

local function coming_draw(draws)
  return find_in_list(draws, is_coming) or nil
end

local function next_draw_id(draws)
  local last = draws[#draws]
  return last == nil and 1 or last.id + 1
end

local function add_draw(draws)
  local draw = {
    id = next_draw_id(draws),
    stage = "committed",
    keyId = "",
    commitment = "",
    chain = nil,
    usesBeacon = room.draw_beacon == "drand",
    first = 0,
    last = 0,
    gaps = {},
    closesMs = 0,
    seed = "",
    beacon = nil,
    atFlowMs = 0
  }
  draws[#draws + 1] = draw
  return draw
end

local function reopen_entries()
  local draw = coming_draw(room.draws)
  if draw == nil or draw.stage ~= "closing" then
    return
  end
  draw.stage = "committed"
  draw.closesMs = 0
  draw.atFlowMs = 0
  put_draws(room.draws)
end

local function begin_entries()
  reopen_entries()
  local draws = room.draws
  local coming = coming_draw(draws)
  if coming ~= nil and coming.first > 0 or room.draw_order ~= "random" then
    return
  end
  local draw = coming or add_draw(draws)
  draw.first = room.queued + 1
  draw.usesBeacon = room.draw_beacon ~= "none"
  put_draws(draws)
end

local function end_entries()
  local draw = coming_draw(room.draws)
  if draw == nil or draw.stage == "closing" or draw.first == 0 then
    return
  end
  if draw.commitment == "" then
    local others = filter_list(
      room.draws,
      function(other) return other.id ~= draw.id end
    )
    put_draws(others)
    return
  end
  local opens_at_ms = room.opens_at_ms or 0
  local is_punctual = opens_at_ms > 0 and opens_at_ms <= room.at_ms and room.at_ms - opens_at_ms <= 2000
  draw.stage = "closing"
  draw.closesMs = (is_punctual and opens_at_ms or room.at_ms) + 5000
  draw.atFlowMs = room.flow_ms + draw.closesMs - room.at_ms
  put_draws(room.draws)
end

--- Gaps in positions, once a draw is closed: those among its numbers are one gap behind its entries; unless it is cancelled.
local function gaps_by_draw(gaps, draw, is_cancelled)
  local all = {}
  for _, gap in ipairs(gaps) do
    all[#all + 1] = {gap[1], math.min(gap[2], draw.first - 1)}
    all[#all + 1] = {math.max(gap[1], draw.last + 1), gap[2]}
  end
  if is_cancelled then
    for _, gap in ipairs(draw.gaps) do
      all[#all + 1] = gap
    end
  else
    all[#all + 1] = {behind_entries(draw), draw.last}
  end
  return normalize_gaps(all)
end

local function cancel_draws()
  for _, draw in ipairs(room.draws) do
    if draw.first > 0 and draw.stage ~= "drawn" and draw.stage ~= "cancelled" then
      if draw.stage == "closed" then
        set("gaps", gaps_by_draw(room.gaps, draw, true))
      end
      draw.stage = "cancelled"
    end
  end
  put_draws(room.draws)
end

local function gaps_within(gaps, first, last)
  local within = map_list(
    gaps,
    function(gap) return {math.max(gap[1], first), math.min(gap[2], last)} end
  )
  return filter_list(
    within,
    function(gap) return gap[1] <= gap[2] end
  )
end

--- What was served from this position on is served behind the gaps that there are now.
local function skip_gaps_from(from)
  local served = move_over(room.gaps, from - 1, room.serving - from + 1)
  if served <= room.serving then
    return
  end
  set("serving", served)
  add_advance()
end

local function close_draw(draw)
  draw.stage = "closed"
  draw.last = room.queued
  local missing = gaps_within(room.gaps, draw.first, draw.last)
  for _, stretch in ipairs(voided_of(draw.id)) do
    missing[#missing + 1] = stretch
  end
  draw.gaps = join_gaps(missing)
  draw.atFlowMs = room.flow_ms
  set("gaps", gaps_by_draw(room.gaps, draw, false))
  skip_gaps_from(draw.first)
end

local function draw_of(draws, id)
  return find_in_list(
    draws,
    function(draw) return draw.id == id end
  ) or nil
end

--- The gaps that a step of the serving counter skips. Those among the numbers of a draw that is to come will be behind its entries,
-- so that a step before the draw serves as many places as it says; and in one that is not settled visitors may stand.
local function gaps_to_skip()
  local stop = first_coming()
  if room.unsettled_from > 0 and (stop == 0 or room.unsettled_from < stop) then
    stop = room.unsettled_from
  end
  if stop == 0 then
    return room.gaps
  end
  return gaps_within(room.gaps, 1, stop - 1)
end

--- What the base phase means for the draw; whatever it was before, and once as often as again. Not while the room is forgotten:
-- nobody knows then where the numbers stand.
local function follow_phase()
  if room.base_phase == "prequeue" then
    begin_entries()
  elseif #room.draw_marks == 0 then
    return
  elseif room.base_phase == "idle" then
    reopen_entries()
  elseif room.base_phase == "open" then
    end_entries()
  else
    cancel_draws()
  end
end

--- Closes the entries when their time is over.
local function close_entries()
  if not are_entries_over() then
    return
  end
  for _, draw in ipairs(room.draws) do
    if draw.stage == "closing" then
      close_draw(draw)
    end
  end
  put_draws(room.draws)
end

--- Publishes what binds the seed of the draw that waits for it, or of the next one. Of a draw that has begun the first commitment counts.
local function commit_draw(offer)
  if offer.edition ~= room.edition or offer.edition == 0 then
    return
  end
  local draws = room.draws
  local coming = coming_draw(draws)
  if offer.id ~= (coming == nil and next_draw_id(draws) or coming.id) then
    return
  end
  if coming ~= nil and coming.first > 0 and coming.commitment ~= "" then
    return
  end
  local draw = coming or add_draw(draws)
  draw.keyId = offer.keyId
  draw.commitment = offer.commitment
  draw.chain = offer.chain
  put_draws(draws)
end

--- Draws a closed draw if it is time. Answers whether it is drawn now, by whomever: the first outcome counts.
local function fix_draw(outcome)
  if outcome.edition ~= room.edition then
    return false
  end
  local draw = draw_of(room.draws, outcome.id)
  if draw == nil then
    return false
  end
  if draw.stage ~= "closed" then
    return draw.stage == "drawn"
  end
  local wait_ms = draw.usesBeacon and outcome.beacon == nil and 30000 or 2500
  if room.flow_ms < draw.atFlowMs + wait_ms then
    return false
  end
  draw.stage = "drawn"
  draw.seed = outcome.seed
  if draw.usesBeacon then
    draw.beacon = outcome.beacon
  end
  put_draws(room.draws)
  return true
end

--- An incarnation begins: the times of its draws go by its flow clock, and by the phase that it begins in. A prequeue that went by arrival
-- goes on so.
local function resume_draws()
  local draws = room.draws
  for _, draw in ipairs(draws) do
    local left_ms = math.min(5000, math.max(0, draw.closesMs - room.at_ms))
    if draw.stage == "closing" then
      draw.atFlowMs = room.flow_ms + left_ms
    end
    if draw.stage == "closed" then
      draw.atFlowMs = room.flow_ms
    end
  end
  if #draws > 0 then
    put_draws(draws)
  end
  if room.base_phase == "prequeue" then
    reopen_entries()
  else
    follow_phase()
  end
end
