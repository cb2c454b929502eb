-- Generated from src/core/positions.ts by `npm run lua`. Not to be edited.
-- What became of positions: which were never handed out (gaps, whose lists ascend), when those that were handed out were served, and which of them
-- do not expire because the limiter refused their claims.

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

local function add_row(to)
  local grain_ms = math.max(1000, room.claim_within_ms / 1000)
  local last = last_row(key.rows)
  if last ~= nil and room.claim_ms - last.sinceMs < grain_ms then
    replace_row(key.rows, last, {to = to, sinceMs = last.sinceMs, atMs = room.claim_ms})
  else
    append_row(key.rows, {to = to, sinceMs = room.claim_ms, atMs = room.claim_ms})
  end
end

local function cut_advances(to)
  local cut = cut_rows(key.rows, to)
  if cut == nil then
    return
  end
  local last = last_row(key.rows)
  local last_to = last == nil and 0 or last.to
  if last_to < to then
    append_row(key.rows, {to = to, sinceMs = cut.sinceMs, atMs = cut.atMs})
  end
end

local function unused_places(low, high)
  local last = math.min(high, room.queued)
  if last <= low then
    return 0
  end
  local used = count_positions(key.claimed_places, low + 1, last) + count_positions(key.left_places, low + 1, last)
  return math.max(0, places_between(room.gaps, low, last) - used)
end

local function lowest_refused()
  return score_at(key.held, 0)
end

local function is_exempt(position)
  local refused_ms = score_of(key.held_times, position)
  return refused_ms ~= nil and refused_ms >= room.claim_ms - 30000
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

--- Records that places up to the serving counter are served as of now.
local function add_advance()
  if room.serving > room.serving_high then
    set("serving_high", room.serving)
  end
  add_row(room.serving)
end

--- Open places beyond `queuedBefore` were taken just now: they are served as of now, whenever they were opened.
local function add_taken_places(queued_before)
  cut_advances(queued_before)
  add_row(math.min(room.serving, room.queued))
end

--- Takes back advances beyond the serving counter, which an operator has moved back.
local function take_back_advances()
  set(
    "count_no_shows",
    math.max(0, room.count_no_shows - unused_places(room.serving, room.expired_through))
  )
  set("expired_through", math.min(room.expired_through, room.serving))
  cut_advances(room.serving)
end

--- When the place was served, claim clock; before all times when its row is gone.
local function served_at(position)
  if position <= room.expired_through then
    return 0
  end
  local row = row_of(key.rows, position)
  return row == nil and 0 or row.atMs
end

--- Whether a served place was not claimed in time, and the limiter has not kept it from that.
local function has_expired(position, joined_ms)
  local served_ms = math.max(joined_ms, served_at(position))
  return room.claim_ms > served_ms + room.claim_within_ms and not is_exempt(position)
end

--- Drops the rows whose places were served longer than `claimWithinMs` ago, at most `limit`, up to the first place whose
-- claim is held: it has not expired, and a recovery must know.
local function expire_advances(limit)
  local oldest_ms = room.claim_ms - room.claim_within_ms
  local lowest = lowest_refused()
  local dropped = 0
  local last = 0
  for _, row in ipairs(first_rows(key.rows, limit)) do
    if row.atMs >= oldest_ms or lowest ~= nil and row.to >= lowest then
      break
    end
    last = row.to
    dropped = dropped + 1
  end
  if dropped == 0 then
    return
  end
  drop_rows(key.rows, dropped)
  local through = math.max(room.expired_through, math.min(last, room.queued))
  set("count_no_shows", room.count_no_shows + unused_places(room.expired_through, through))
  set("expired_through", through)
end

--- Places served more than 30 s ago that may still be claimed.
local function absent_places()
  local row = last_row_until(key.rows, room.claim_ms - 30000)
  return row == nil and 0 or unused_places(room.expired_through, row.to)
end

--- Forgets those that were not made again for 5 s of the flow clock, at most `limit`.
local function prune_pending_claims(limit)
  remove_members(key.pending_claims, take_below(key.pending_claim_times, room.flow_ms - 5000, limit))
  remove_members(key.held, take_below(key.held_times, room.claim_ms - 30000, limit))
end

--- How many claims of lower positions are pending.
local function pending_rank(position)
  return count_below(key.pending_claims, position)
end

local function is_claim_pending(position)
  return score_of(key.pending_claim_times, position) ~= nil
end

local function add_pending_claim(position)
  set_score(key.pending_claims, position, position)
  set_score(key.pending_claim_times, position, room.flow_ms)
  set_score(key.held_times, position, room.claim_ms)
  set_score(key.held, position, position)
end

--- A claim by a bypass link is pending at position 0, before all places. It keeps no place from expiring.
local function add_pending_bypass()
  set_score(key.pending_claims, 0, 0)
  set_score(key.pending_claim_times, 0, room.flow_ms)
end

local function remove_pending_claim(position)
  if remove_member(key.pending_claims, position) then
    remove_member(key.pending_claim_times, position)
  end
  if remove_member(key.held_times, position) then
    remove_member(key.held, position)
  end
end

local function clear_pending_claims()
  redis.call("DEL", key.pending_claims, key.pending_claim_times, key.held_times, key.held)
end
