-- Generated from src/core/pushes.ts by `npm run lua`. Not to be edited.
-- Visitors who are notified when their turn is near, and when it has come. Two sets hold the positions at which each notification is due; one
-- that a process has taken is in a third, as `ATTEMPT:STAGE:NUMBER:SUB`, by when it is retried (flow clock). Each notification is in one set
-- at a time, so exactly one of many processes takes it.

--- Whether the place is still the visitor's to claim.
local function is_theirs(sub, number, position)
  if is_elsewhere(number, sub) or has_position(key.used_entries, number) then
    return false
  end
  if is_voided(number, position) then
    return false
  end
  if position == 0 then
    return true
  end
  if position <= room.expired_through then
    return false
  end
  return not has_position(key.claimed_places, position) and not has_position(key.left_places, position)
end

--- Whether notifications are kept here: the room has them, and its line has not ended.
local function keeps_pushes()
  return room.has_push and room.base_phase ~= "ended"
end

--- Keeps a subscription, in place of the visitor's earlier one. What was told of the same place is not told again.
local function keep_push(request)
  local number = number_of(request)
  if not keeps_pushes() or request.edition ~= room.edition or number == 0 or number > room.queued then
    return "over"
  end
  local draw = draw_id_of(request)
  local position = is_placed(number, draw) and request.position or 0
  if not is_theirs(request.sub, number, position) then
    return "over"
  end
  if position > 0 and position <= room.serving then
    return "over"
  end
  local existing = read_row(request.sub)
  if existing ~= nil and existing.number == number then
    write_row(
      request.sub,
      {number = number, position = existing.position, draw = existing.draw, text = request.text}
    )
    return "kept"
  end
  if existing == nil and count_pushes() >= 50000 then
    return "full"
  end
  forget_push(request.sub)
  if position == 0 then
    write_row(request.sub, {number = number, position = 0, draw = 0, text = request.text})
    set_score(key.push_undrawn, request.sub, number)
    return "kept"
  end
  write_row(
    request.sub,
    {number = number, position = position, draw = draw or 0, text = request.text}
  )
  set_score(key.push_turns, request.sub, position)
  if position > request.nearThrough then
    set_score(key.push_near, request.sub, position)
  end
  return "kept"
end

local function draw_or_none(draw)
  if draw == 0 then
    return nil
  end
  return draw
end

--- Places an entry that was drawn; with draw 0 one that is in no draw any more.
local function place_entry(drawn)
  local row = read_row(drawn.sub)
  if row == nil or row.number ~= drawn.number or row.position > 0 then
    return
  end
  if not is_placed(drawn.number, draw_or_none(drawn.draw)) then
    return
  end
  remove_member(key.push_undrawn, drawn.sub)
  write_row(
    drawn.sub,
    {number = row.number, position = drawn.position, draw = drawn.draw, text = row.text}
  )
  set_score(key.push_turns, drawn.sub, drawn.position)
  set_score(key.push_near, drawn.sub, drawn.position)
end

--- Entries whose draw is drawn. Those of a draw that was cancelled are placed: their number is the position.
local function find_drawn()
  local found = {}
  for _, sub in ipairs(members_between(key.push_undrawn, 0, room.queued, 100)) do
    local row = read_row(sub)
    if row == nil then
      remove_member(key.push_undrawn, sub)
    elseif is_placed(row.number, nil) then
      place_entry({sub = sub, number = row.number, draw = 0, position = row.number})
    else
      local draw = drawn_in(row.number)
      if draw > 0 then
        found[#found + 1] = {sub = sub, number = row.number, draw = draw}
      end
    end
  end
  return found
end

local function settle(settlement)
  local is_ours = remove_member(key.push_due, settlement.id)
  local parts = parts_of(settlement.id)
  local sub = parts[4] or ""
  local row = read_row(sub)
  if row == nil or row.number ~= number_of_text(parts[3] or "0") then
    return
  end
  if settlement.outcome == "gone" then
    forget_push(sub)
  elseif settlement.outcome == "failed" then
    if is_ours then
      set_score(key.push_due, settlement.id, room.flow_ms + settlement.retryMs)
    end
  elseif parts[2] == "turn" then
    forget_push(sub)
  end
end

--- Hands out a notification where the place is still the visitor's.
local function hand(taken, sub, stage, attempt)
  local row = read_row(sub)
  if row == nil then
    return
  end
  if not is_theirs(sub, row.number, row.position) then
    forget_push(sub)
    return
  end
  if stage == "near" and row.position <= room.serving then
    return
  end
  local id = (((((text_of(attempt) .. ":") .. stage) .. ":") .. text_of(row.number)) .. ":") .. sub
  local is_last = attempt >= 6
  set_score(key.push_due, id, room.flow_ms + 30000)
  taken[#taken + 1] = {id = id, sub = sub, stage = stage, text = row.text, attempt = attempt, isLast = is_last}
end

--- Those that were taken, and not settled in time, or failed.
local function hand_again(taken, limit)
  for _, id in ipairs(members_between(key.push_due, 0, room.flow_ms, limit)) do
    remove_member(key.push_due, id)
    local parts = parts_of(id)
    local sub = parts[4] or ""
    local attempt = number_of_text(parts[1] or "0") + 1
    local row = read_row(sub)
    local is_same = row ~= nil and row.number == number_of_text(parts[3] or "0")
    local stage = parts[2] == "turn" and "turn" or "near"
    if is_same and attempt <= 6 then
      hand(taken, sub, stage, attempt)
    elseif is_same and stage == "turn" then
      forget_push(sub)
    end
  end
end

--- Notes what became of notifications, and hands out those that are due: turns that have come before those that are near. None while the
-- line stands still, nor in the hold after a recovery: nobody could enter.
local function take_pushes(request)
  for _, settlement in ipairs(request.settled) do
    settle(settlement)
  end
  for _, drawn in ipairs(request.placed) do
    place_entry(drawn)
  end
  if not keeps_pushes() and count_pushes() > 0 then
    clear_pushes()
  end
  local taken = {}
  local undrawn = find_drawn()
  local phase = phase_of()
  local is_open = phase == "open" and not is_on_hold()
  if request.limit > 0 and (is_open or phase == "passthrough") then
    hand_again(taken, request.limit)
    for _, sub in ipairs(take_below(key.push_turns, room.serving + 1, request.limit)) do
      remove_member(key.push_near, sub)
      hand(taken, sub, "turn", 1)
    end
    for _, sub in ipairs(take_below(key.push_near, request.nearThrough + 1, request.limit)) do
      hand(taken, sub, "near", 1)
    end
  end
  return {taken = taken, undrawn = undrawn, stored = count_pushes()}
end
