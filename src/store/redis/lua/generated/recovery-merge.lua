-- Generated from src/core/recovery/merge.ts by `npm run lua`. Not to be edited.
-- Merging by maximum what a process remembers: counters within the higher edition, the most admissions that any remembers live at a time,
-- and of gaps what both call one. What is a gap up to a memory's queue counter is a bound, since checkpoints are rounded up, and
-- no evidence that a position was handed out.

--- A ticket that was presented is offered as a memory of version 0: it knows a position and no more.
local function is_ticket(memory)
  return memory.version == 0
end

--- A ticket proves that its number was handed out, and so were those of the same gap before it: numbers are handed out in a row.
-- In a draw to come that begins with its first number; what is a gap behind a fixed draw stays one.
local function take_number_in(number)
  if is_fixed_entry(number) then
    return
  end
  local first = first_coming()
  local before = first > 0 and number >= first and first - 1 or 0
  local gaps = {}
  for _, gap in ipairs(room.gaps) do
    if number < gap[1] or number > gap[2] then
      gaps[#gaps + 1] = gap
    else
      gaps[#gaps + 1] = {gap[1], before}
      gaps[#gaps + 1] = {number + 1, gap[2]}
    end
  end
  set("gaps", normalize_gaps(gaps))
end

local function merge_places(memory)
  local queued_before = room.queued
  set("queued", math.max(room.queued, memory.queued))
  set("serving", math.max(room.serving, memory.serving))
  set("expired_through", math.max(room.expired_through, memory.expiredThrough))
  merge_draws(memory.draws)
  merge_voids(memory.voids)
  local theirs = gaps_after_merge(memory.gaps, memory.draws, room.draws)
  local ours = room.gaps
  local gaps = agreed_gaps(theirs, ours, queued_before)
  for _, gap in ipairs(is_ticket(memory) and ours or agreed_gaps(ours, theirs, memory.queued)) do
    gaps[#gaps + 1] = gap
  end
  set("gaps", normalize_gaps(gaps))
  if is_ticket(memory) then
    take_number_in(memory.queued)
  end
end

--- The lower rate is the safer one, and so is the baseline by which a lower latency is too much.
local function merge_adaptive(remembered)
  local rate = room.load_rate
  set(
    "load_rate",
    rate == 0 and remembered.ratePerMinute or math.min(rate, remembered.ratePerMinute)
  )
  if remembered.baselineMs == nil then
    return
  end
  set(
    "load_baseline_ms",
    math.min(room.load_baseline_ms or remembered.baselineMs, remembered.baselineMs)
  )
end

local function merge_counts(counts)
  set("count_joined", math.max(room.count_joined, counts.joined))
  set("count_entered", math.max(room.count_entered, counts.entered))
  set("count_passed", math.max(room.count_passed, counts.passed))
  set("count_bypassed", math.max(room.count_bypassed, counts.bypassed))
  set("count_completed", math.max(room.count_completed, counts.completed))
  set("count_abandoned", math.max(room.count_abandoned, counts.abandoned))
  set("count_logged_out", math.max(room.count_logged_out, counts.loggedOut))
  set("count_revoked", math.max(room.count_revoked, counts.revoked))
  set("count_expired", math.max(room.count_expired, counts.expired))
  set("count_no_shows", math.max(room.count_no_shows, counts.noShows))
  set("count_left", math.max(room.count_left, counts.left))
end

local function merge_counters(memory)
  set("claim_ms", math.max(room.claim_ms, memory.claimMs))
  set("idle_ended_ms", math.max(room.idle_ended_ms, memory.idleEndedMs))
  merge_counts(memory.counts)
  local lapses = map_list(
    memory.liveLapses,
    function(lapse) return {to_flow(lapse[1]), lapse[2]} end
  )
  set("remembered_lapses", merge_lapses(room.remembered_lapses, lapses))
  set("join_peak", math.max(room.join_peak, memory.joinsPerSecondPeak))
  if memory.edition < room.edition then
    return
  end
  if memory.edition > room.edition then
    void_edition(memory.edition)
  end
  merge_places(memory)
end

--- Phase, holds and settings of the higher version.
local function merge_phase(memory)
  if memory.version == room.version then
    set("schedule_mark_ms", math.max(room.schedule_mark_ms, memory.scheduleMarkMs))
  end
  if memory.version <= room.version then
    return
  end
  local is_first = room.version == 0
  set("version", memory.version)
  set("base_phase", memory.basePhase)
  set("phase_since_ms", room.at_ms)
  set("holds", memory.holds)
  set("schedule_mark_ms", memory.scheduleMarkMs)
  set("file", memory.settings.file)
  set("live_changes", memory.settings.live)
  put_effective(memory.settings.effective, is_first)
end

--- The stock that was told last. What it holds follows when all is merged.
local function merge_stock(memory)
  local stock = memory.stock or nil
  if stock == nil or stock.mark <= room.stock_mark then
    return
  end
  set("stock_left", stock.left)
  set("stock_as_of_ms", stock.asOfMs)
  set("stock_mark", stock.mark)
end

--- Whether a memory that comes when recovery is over knows of something later than the room: an edition, a position, a draw that has come
-- further, or a higher serving counter than the edition ever had (an operator's step back is no loss).
local function knows_more(memory)
  if memory.edition ~= room.edition then
    return memory.edition > room.edition
  end
  local last = last_handed_out(memory.gaps, memory.queued)
  if last > room.queued or knows_more_of_draws(memory.draws) then
    return true
  end
  return memory.serving > room.serving_high and not is_in_gap(last)
end

--- Whatever loss made a gap: what the memory knows to have been handed out is none. What merely may have been, as far as it
-- knows, becomes one, so that nobody else gets it.
local function take_positions_in(memory)
  local theirs = gaps_after_merge(memory.gaps, memory.draws, room.draws)
  set("gaps", normalize_gaps(agreed_gaps(room.gaps, theirs, memory.queued)))
  if memory.queued > room.queued then
    skip_to(memory.queued)
  end
  if room.serving > room.serving_high then
    add_advance()
  end
end
