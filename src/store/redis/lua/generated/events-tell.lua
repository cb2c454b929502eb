-- Generated from src/core/events/tell.ts by `npm run lua`. Not to be edited.
-- The events of a room: changes of its situation and draws, and once a minute the figures. Every operation that may change what is in force ends with
-- `tellChanges`, which compares it with what was told last; the version, which such changes raise, shows in most calls that there is nothing new.

--- A room that is full, as was told.
local published_full = -1

--- Phase, its reason, edition, and each hold.
local function situation_of()
  local text = (((phase_of() .. ":") .. (phase_reason() or "")) .. ":") .. text_of(room.edition)
  for _, hold in ipairs(hold_order) do
    text = (text .. ":") .. (has_hold(hold) and "1" or "0")
  end
  return text
end

local function publish_situation()
  set("told_version", room.version)
  local before = room.told
  local situation = situation_of()
  if situation == before then
    return
  end
  set("told", situation)
  local is_first = before == ""
  local old = parts_of(is_first and "::0:0:0:0:0:0:0" or before)
  local now = parts_of(situation)
  local edition = now[3] or ""
  if not is_first and edition ~= old[3] then
    publish_event("e", ((":" .. edition) .. ":") .. (old[3] or ""))
  end
  local index = 3
  for _, hold in ipairs(hold_order) do
    if now[index + 1] ~= old[index + 1] then
      if hold == "sold_out" then
        publish_event("o", ((":" .. (now[index + 1] or "")) .. ":") .. (room.has_returns and "1" or "0"))
      else
        publish_event("h", ((":" .. hold) .. ":") .. (now[index + 1] or ""))
      end
    end
    index = index + 1
  end
  local phase = ((now[1] or "") .. ":") .. (now[2] or "")
  local old_phase = ((old[1] or "") .. ":") .. (old[2] or "")
  if phase ~= old_phase then
    publish_event("p", ((((":" .. edition) .. ":") .. phase) .. ":") .. old_phase)
  end
end

local function publish_draws()
  if #room.draw_marks == 0 and room.told_draws == "" then
    return
  end
  local marks = ""
  for _, draw in ipairs(room.draws) do
    if draw.commitment ~= "" then
      marks = (((((marks .. ":") .. text_of(room.edition)) .. ".") .. text_of(draw.id)) .. ".") .. draw.stage
    end
  end
  if marks == room.told_draws then
    return
  end
  local published_marks = parts_of(room.told_draws)
  set("told_draws", marks)
  for _, draw in ipairs(room.draws) do
    local mark = (((text_of(room.edition) .. ".") .. text_of(draw.id)) .. ".") .. draw.stage
    if draw.commitment ~= "" and not is_in_list(published_marks, mark) then
      local what = ((((((((":" .. text_of(room.edition)) .. ":") .. text_of(draw.id)) .. ":") .. draw.stage) .. ":") .. text_of(draw.first)) .. ":") .. text_of(draw.last)
      publish_event("d", (((what .. ":") .. draw.commitment) .. ":") .. draw.seed)
    end
  end
end

--- Tells what has changed of what is in force. In a forgotten room nothing raises the version.
local function publish_changes()
  if room.version == 0 or room.version ~= room.told_version then
    publish_situation()
  end
  publish_draws()
end

--- Settings that were replaced.
--
-- @param before as JSON, as is `after`
local function publish_settings(before, after)
  if not are_same_settings(before, after) then
    publish_event("s", ((((":" .. text_of(room.version)) .. ":") .. before) .. "\n") .. after)
  end
end

--- A recovery is over, of a room that was not made just now.
local function publish_recovery()
  publish_event("r", ((":" .. text_of(room.queued)) .. ":") .. text_of(room.serving))
end

--- A join was refused since the room is full, for the first time; or there are places again.
local function publish_full()
  if room.full_ms == 0 then
    return
  end
  if room.full_ms > 0 then
    publish_event("f", ":1")
  end
  set("full_ms", published_full)
  if room.max_waiting ~= nil and people_waiting() >= room.max_waiting then
    return
  end
  publish_event("f", ":0")
  set("full_ms", 0)
end

--- At the end of a minute: whether many were refused a place in it, when that is not what was told last.
--
-- @param rate refused because so many had come from their address just now
-- @param entries refused because their address had taken all of its entries
-- @param network refused by a rule for addresses
local function publish_refusals(joined, rate, entries, network)
  local refused = rate + entries + network
  local is_refusing = refused >= 50 and refused >= 0.05 * (joined + refused)
  if is_refusing == room.stat_is_refusing then
    return
  end
  set("stat_is_refusing", is_refusing)
  local counts = (((((text_of(joined) .. ":") .. text_of(rate)) .. ":") .. text_of(entries)) .. ":") .. text_of(network)
  publish_event("b", ((":" .. (is_refusing and "1" or "0")) .. ":") .. counts)
end

local function publish_figures()
  local line = (((text_of(room.queued) .. ":") .. text_of(room.serving)) .. ":") .. text_of(people_waiting())
  local near = (text_of(math.floor(people_at_door() + 0.5)) .. ":") .. text_of(absent_places())
  local flow = (text_of(math.floor(measured_outflow() * 10 + 0.5) / 10) .. ":") .. (room.limit == nil and "" or text_of(room.limit))
  local counts = {
    joined = room.count_joined,
    entered = room.count_entered,
    passed = room.count_passed,
    bypassed = room.count_bypassed,
    completed = room.count_completed,
    abandoned = room.count_abandoned,
    loggedOut = room.count_logged_out,
    revoked = room.count_revoked,
    expired = room.count_expired,
    noShows = room.count_no_shows,
    left = room.count_left
  }
  local ways = (((((text_of(counts.joined) .. ":") .. text_of(counts.entered)) .. ":") .. text_of(counts.passed)) .. ":") .. text_of(counts.bypassed)
  local lost = (text_of(counts.noShows) .. ":") .. text_of(counts.left)
  local place = (text_of(room.edition) .. ":") .. phase_of()
  publish_event(
    "m",
    ((((((((((((":" .. place) .. ":") .. line) .. ":") .. near) .. ":") .. text_of(live_count())) .. ":") .. flow) .. ":") .. ways) .. ":") .. lost
  )
end

local function publish_sealed()
  if room.log_sealed_seq <= room.told_sealed_seq then
    return
  end
  set("told_sealed_seq", room.log_sealed_seq)
  publish_event("l", ((":" .. text_of(room.log_sealed_seq)) .. ":") .. room.log_sealed_hash)
end

--- What a tick tells, besides: changes of each second, and once a minute the figures and the head of the log.
local function publish_news()
  publish_changes()
  publish_full()
  if room.flow_ms - room.figures_ms < 60000 then
    return
  end
  set("figures_ms", room.flow_ms)
  publish_figures()
  publish_sealed()
  bound_events()
end
