-- Generated from src/core/recovery/gaps.ts by `npm run lua`. Not to be edited.
-- The gap that a recovery leaves: positions that may have been issued unseen. It is settled once all visitors had time to show their tickets.

--- Who stands in a gap has shown the ticket by now, and it is skipped for nothing from here on. What was served of it meanwhile
-- is served behind it.
local function settle_gaps()
  local from = room.unsettled_from
  set("unsettled_from", 0)
  set("settles_ms", 0)
  if from > 0 then
    skip_gaps_from(from)
  end
end

--- Nobody gets the positions up to `to` any more. Open places stay open behind them; else they are a gap that is not settled.
local function skip_to(to)
  if room.serving > room.queued then
    settle_gaps()
  end
  local is_drawn = first_coming() > 0
  local open = is_drawn and 0 or math.max(0, room.serving - room.queued)
  local from = room.queued + 1
  local gaps = {{from, to}}
  for _, gap in ipairs(room.gaps) do
    gaps[#gaps + 1] = gap
  end
  set("gaps", normalize_gaps(gaps))
  set("queued", to)
  if open > 0 then
    set("serving", to + open)
  elseif not is_drawn and (is_limited() or room.inlet_type ~= "max_active") then
    set(
      "unsettled_from",
      room.unsettled_from == 0 and from or math.min(room.unsettled_from, from)
    )
    set("settles_ms", room.flow_ms + 55000)
  end
end

--- Joins in the busiest second of the last ten, or the peak others remembered while that still matters.
local function join_peak()
  local oldest = math.floor(room.flow_ms / 1000) - 10
  local peak = (room.recovering_until_ms > 0 or is_forgotten()) and room.join_peak or 0
  for _, joins in ipairs(room.join_seconds) do
    if joins[1] > oldest then
      peak = math.max(peak, joins[2])
    end
  end
  return peak
end

--- Skips the positions that may have been handed out unseen.
local function place_gap()
  skip_to(room.queued + math.max(1000, 5 * join_peak()))
end

local function are_gaps_due()
  return room.settles_ms > 0 and room.flow_ms >= room.settles_ms
end

local function is_in_gap(position)
  return is_any(
    room.gaps,
    function(gap) return position >= gap[1] and position <= gap[2] end
  )
end

--- Begins an edition: counters at 0; places, gaps, draws and rows void; nothing is claimed or left; nobody is to be notified.
local function void_edition(edition)
  set("queued", 0)
  set("serving", 0)
  set("serving_high", 0)
  set("expired_through", 0)
  set("gaps", {})
  set("unsettled_from", 0)
  set("settles_ms", 0)
  set("draws", {})
  set("draw_marks", {})
  set("voids", {})
  set("void_count", 0)
  set("voided_blocks", {})
  set("voided_entries", 0)
  set("blocks_draw", 0)
  set("blocks_from", 0)
  redis.call(
    "DEL",
    key.entry_blocks,
    key.rows,
    key.claimed_places,
    key.left_places,
    key.used_entries,
    key.holders,
    key.moves,
    key.used_moves,
    key.keyed_places
  )
  clear_pushes()
  set("edition", edition)
end
