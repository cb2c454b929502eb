-- The room's draws of this edition. `draws`: JSON, as told but for the gaps, which are a short list; with `atFlowMs`.
-- `draw_marks`: what hot scripts go by, a short list; first edition, whether one is closing or closed, until when entries are
-- taken (flow clock, ms; 0 for none), and whether one has begun without a commitment; then of each id, stage, first and last.
-- key.used_entries: numbers used up before they were drawn. The twin of memory/draws.ts, which explains it.

local stage_marks = { committed = 1, closing = 2, closed = 3, cancelled = 4, drawn = 5 }
local max_draws = 16

local marks_text, marks_list = '', {}

-- Nil for none.
local function draw_marks()
  if room.draw_marks == '' then return nil end
  if room.draw_marks ~= marks_text then marks_text, marks_list = room.draw_marks, decode_list(room.draw_marks) end
  return marks_list
end

-- Nothing is served: the order of those who have entered is being fixed.
local function is_drawing()
  local marks = draw_marks()
  return marks ~= nil and marks[1][2] == 1
end

-- Not while the room is forgotten: nobody knows then where the numbers stand.
local function are_entries_over()
  local marks = draw_marks()
  if not marks or string.find(room.holds, 'recovered', 1, true) then return false end
  return marks[1][3] > 0 and room.flow_ms >= marks[1][3]
end

-- A prequeue has begun, and nothing binds the seed of its draw yet.
local function lacks_commitment()
  if room.base_phase ~= 'prequeue' then return false end
  local marks = draw_marks()
  return marks ~= nil and marks[1][4] == 1
end

-- Numbers of a cancelled draw are in none. Where nobody has entered, the last number is the one before the first.
local function is_entry_of(mark, number)
  local stage, first, last = mark[2], mark[3], mark[4]
  if stage == 4 or first == 0 or number < first then return false end
  return stage <= 2 or number <= last
end

-- Whether the position is known: no draw has the number, or it was computed by the one that has, of the id `entry_draw`; ''
-- where the caller knows of none.
local function is_placed(number, entry_draw)
  local marks = draw_marks()
  for i = 2, marks and #marks or 0 do
    if is_entry_of(marks[i], number) then return marks[i][2] == 5 and marks[i][1] == tonumber(entry_draw) end
  end
  return entry_draw == ''
end

-- Whether the number was left, or used up, before it was drawn.
local function is_used_entry(number)
  return draw_marks() ~= nil and has_position(key.used_entries, number)
end

local function room_draws()
  if not draw_marks() or room.draws == '' then return {} end
  return cjson.decode(room.draws)
end

local function coming_draw(draws)
  for i = #draws, 1, -1 do
    if is_coming(draws[i]) then return draws[i] end
  end
end

local function put_draws(draws)
  if not draw_marks() then redis.call('DEL', key.used_entries) end
  while #draws > max_draws do table.remove(draws, 1) end
  local head = { room.edition, 0, 0, 0 }
  local marks = { head }
  for _, draw in ipairs(draws) do
    marks[#marks + 1] = { draw.id, stage_marks[draw.stage], draw.first, draw.last }
    if draw.stage == 'closing' then head[3] = draw.atFlowMs end
    if draw.stage == 'closing' or draw.stage == 'closed' then head[2] = 1 end
    if is_coming(draw) and draw.first > 0 and draw.commitment == '' then head[4] = 1 end
  end
  set('draws', #draws > 0 and cjson.encode(draws) or '')
  set('draw_marks', encode_list(marks))
end

local function use_entry(number)
  if not draw_marks() then put_draws({}) end
  add_position(key.used_entries, number)
end

local function forget_draws()
  set('draws', '')
  set('draw_marks', '')
  redis.call('DEL', key.used_entries)
end

-- Whether a draw has begun whose last number is not fixed; and its first number, or 0.
local function first_coming()
  local marks = draw_marks()
  for i = marks and #marks or 0, 2, -1 do
    if marks[i][2] <= 2 then return marks[i][3] end
  end
  return 0
end

-- The gaps that a step of the serving counter skips: those among the numbers of a draw to come will be behind its entries, and
-- in one that is not settled visitors may stand.
local function gaps_to_skip()
  local first = first_coming()
  local stop = first > 0 and first or math.huge
  if room.settles_ms > 0 and room.unsettled_from > 0 then stop = math.min(stop, room.unsettled_from) end
  if stop == math.huge then return room_gaps() end
  local gaps = {}
  for _, gap in ipairs(room_gaps()) do
    if gap[1] < stop then gaps[#gaps + 1] = { gap[1], math.min(gap[2], stop - 1) } end
  end
  return gaps
end

local function next_draw_id(draws)
  return #draws > 0 and draws[#draws].id + 1 or 1
end

-- What the settings say of draws: { order, beacon }, or nil.
local function draw_settings()
  return number_or_nil(cjson.decode(room.effective).draw)
end

local function add_draw(draws)
  local settings = draw_settings()
  local draw = {
    id = next_draw_id(draws), stage = 'committed', keyId = '', commitment = '', first = 0, last = 0, gaps = '', closesMs = 0,
    seed = '', atFlowMs = 0, usesBeacon = settings ~= nil and settings.beacon == 'drand',
  }
  draws[#draws + 1] = draw
  return draw
end

-- The phase went back before the entries were closed: they are taken again.
local function reopen_entries(draws)
  local draw = coming_draw(draws)
  if not draw or draw.stage ~= 'closing' then return end
  draw.stage, draw.closesMs, draw.atFlowMs = 'committed', 0, 0
end

local function begin_entries(draws)
  reopen_entries(draws)
  local coming = coming_draw(draws)
  if coming and coming.first > 0 then return end
  local settings = draw_settings()
  if not settings or settings.order ~= 'random' then return end
  local draw = coming or add_draw(draws)
  draw.first = room.queued + 1
  draw.usesBeacon = settings.beacon ~= 'none'
end

local function end_entries(draws)
  local draw = coming_draw(draws)
  if not draw or draw.stage == 'closing' or draw.first == 0 then return end
  if draw.commitment == '' then
    for i = #draws, 1, -1 do
      if draws[i] == draw then table.remove(draws, i) end
    end
    return
  end
  local opens_at_ms = room.opens_at_ms
  local is_punctual = opens_at_ms and opens_at_ms <= room.at_ms and room.at_ms - opens_at_ms <= 2000
  draw.stage = 'closing'
  draw.closesMs = (is_punctual and opens_at_ms or room.at_ms) + 5000
  draw.atFlowMs = room.flow_ms + draw.closesMs - room.at_ms
end

-- Gaps in positions, once a draw is closed: those among its numbers are one gap behind its entries; unless it is cancelled.
local function gaps_by_draw(gaps, draw, is_cancelled)
  local others, own = {}, decode_list(draw.gaps)
  for _, gap in ipairs(gaps) do
    others[#others + 1] = { gap[1], math.min(gap[2], draw.first - 1) }
    others[#others + 1] = { math.max(gap[1], draw.last + 1), gap[2] }
  end
  if is_cancelled then
    for _, gap in ipairs(own) do others[#others + 1] = gap end
  else others[#others + 1] = { draw.first + places_between(own, draw.first - 1, draw.last), draw.last } end
  return normalize_gaps(others)
end

local function cancel_draws(draws)
  for _, draw in ipairs(draws) do
    if draw.first > 0 and draw.stage ~= 'drawn' and draw.stage ~= 'cancelled' then
      if draw.stage == 'closed' then set('gaps', encode_list(gaps_by_draw(room_gaps(), draw, true))) end
      draw.stage = 'cancelled'
    end
  end
end

-- What the base phase means for the draw; whatever it was before. Not while the room is forgotten.
local function follow_phase()
  local draws = room_draws()
  local before = #draws
  if room.base_phase == 'prequeue' then begin_entries(draws)
  elseif before == 0 then return
  elseif room.base_phase == 'idle' then reopen_entries(draws)
  elseif room.base_phase == 'open' then end_entries(draws)
  else cancel_draws(draws) end
  if before > 0 or #draws > 0 then put_draws(draws) end
end

local function gaps_within(gaps, first, last)
  local within = {}
  for _, gap in ipairs(gaps) do
    local from, to = math.max(gap[1], first), math.min(gap[2], last)
    if from <= to then within[#within + 1] = { from, to } end
  end
  return within
end

local function close_draw(draw)
  draw.stage, draw.last, draw.atFlowMs = 'closed', room.queued, room.flow_ms
  draw.gaps = encode_list(gaps_within(room_gaps(), draw.first, draw.last))
  set('gaps', encode_list(gaps_by_draw(room_gaps(), draw, false)))
  if room.serving < draw.first then return end
  -- Places that an operator has opened beyond the entries are open behind the gap now.
  local served = move_over(room_gaps(), draw.first - 1, room.serving - draw.first + 1)
  if served <= room.serving then return end
  set('serving', served)
  add_advance()
end

-- Closes the entries when their time is over.
local function close_entries()
  if not are_entries_over() then return end
  local draws = room_draws()
  for _, draw in ipairs(draws) do
    if draw.stage == 'closing' then close_draw(draw) end
  end
  put_draws(draws)
end

-- A life begins: the times of its draws go by its flow clock, and by the phase that it begins in. A prequeue that went by arrival
-- goes on so.
local function resume_draws()
  local draws = room_draws()
  for _, draw in ipairs(draws) do
    if draw.stage == 'closing' then
      draw.atFlowMs = room.flow_ms + math.min(5000, math.max(0, draw.closesMs - room.at_ms))
    elseif draw.stage == 'closed' then draw.atFlowMs = room.flow_ms end
  end
  if room.base_phase == 'prequeue' then reopen_entries(draws) end
  if #draws > 0 then put_draws(draws) end
  if room.base_phase ~= 'prequeue' then follow_phase() end
end
