-- Generated from src/core/draw/voids.ts by `npm run lua`. Not to be edited.
-- Entries that are voided before they are drawn, by the blocks of addresses that they came from. Their numbers take no part: when the
-- entries are closed they are among those that nobody holds. Until then nobody joins from such a block, and a void can be taken back.

local function size_of_all(gaps)
  local size = 0
  for _, gap in ipairs(gaps) do
    size = size + (gap[2] - gap[1] + 1)
  end
  return size
end

local function has_number(stretches, number)
  return is_any(
    stretches,
    function(stretch) return number >= stretch[1] and number <= stretch[2] end
  )
end

local function with_tail(request)
  local numbers = {}
  for _, stretch in ipairs(request.numbers) do
    numbers[#numbers + 1] = stretch
  end
  if room.blocks_draw == request.draw then
    local from = math.max(request.through + 1, room.blocks_from)
    local rows = read_rows(key.entry_blocks, from - room.blocks_from, room.queued - room.blocks_from)
    for _, index in ipairs(rows_with(rows, request.blocks)) do
      numbers[#numbers + 1] = {from + index, from + index}
    end
  end
  return join_gaps(numbers)
end

local function are_too_many(voids)
  local blocks = 0
  local stretches = 0
  for _, entry_void in ipairs(voids) do
    blocks = blocks + #entry_void.blocks
    stretches = stretches + #entry_void.numbers
  end
  return #voids > 200 or blocks > 1000 or stretches > 5000
end

local function is_same_void(existing, request)
  if existing.draw ~= request.draw or existing.reason ~= request.reason then
    return false
  end
  return #existing.blocks == #request.blocks and not is_any(
    existing.blocks,
    function(block) return not is_in_list(request.blocks, block) end
  )
end

local function is_within(numbers, draw)
  local all = {}
  for _, gap in ipairs(draw.gaps) do
    all[#all + 1] = gap
  end
  for _, stretch in ipairs(numbers) do
    all[#all + 1] = stretch
  end
  return size_of_all(join_gaps(all)) == size_of_all(draw.gaps)
end

local function stands(entry_void)
  local draw = find_in_list(
    room.draws,
    function(candidate) return candidate.id == entry_void.draw end
  )
  if draw == nil then
    return false
  end
  if is_coming(draw) or draw.stage == "cancelled" or entry_void.restoredMs > 0 then
    return true
  end
  return is_within(entry_void.numbers, draw)
end

--- The id of the draw that takes entries; 0 for none.
local function taking_entries()
  local coming = find_in_list(
    room.draw_marks,
    function(mark) return mark[2] <= 2 and mark[3] > 0 end
  )
  return coming == nil and 0 or coming[1]
end

local function stretches_of(voids)
  local all = {}
  for _, entry_void in ipairs(voids) do
    for _, stretch in ipairs(entry_void.numbers) do
      all[#all + 1] = stretch
    end
  end
  return join_gaps(all)
end

--- The numbers of a draw that are voided, ascending.
local function voided_of(draw)
  if room.void_count == 0 then
    return {}
  end
  return stretches_of(
    filter_list(
      room.voids,
      function(entry_void) return entry_void.draw == draw and entry_void.restoredMs == 0 end
    )
  )
end

--- Keeps the voids, and what hot operations go by.
local function put_voids(voids)
  local live = filter_list(
    voids,
    function(entry_void) return entry_void.restoredMs == 0 end
  )
  set("voids", voids)
  set("void_count", #live)
  local draw = taking_entries()
  local blocks = {}
  for _, entry_void in ipairs(live) do
    if entry_void.draw == draw then
      for _, block in ipairs(entry_void.blocks) do
        blocks[#blocks + 1] = block
      end
    end
  end
  set("voided_blocks", blocks)
  set("voided_entries", size_of_all(voided_of(draw)))
end

--- The stages of draws have changed: blocks are kept as long as an order can follow of them.
local function follow_draws()
  if #room.voids > 0 then
    put_voids(room.voids)
  end
  if room.blocks_draw == 0 then
    return
  end
  if is_any(
    room.draw_marks,
    function(mark) return mark[1] == room.blocks_draw and mark[2] <= 3 end
  ) then
    return
  end
  redis.call("DEL", key.entry_blocks)
  set("blocks_draw", 0)
  set("blocks_from", 0)
end

--- Which of those who join come from a voided block, by their indexes.
--
-- @param rows of each of them a row; "" where none are known
local function voided_joins(rows)
  if rows == "" or #room.voided_blocks == 0 then
    return {}
  end
  return rows_with(rows, room.voided_blocks)
end

--- The blocks of entries that were handed out just now.
local function keep_rows(first, count, rows)
  if rows == "" or count <= 0 then
    return
  end
  local mark = find_in_list(
    room.draw_marks,
    function(candidate) return candidate[2] <= 2 and candidate[3] > 0 end
  )
  if mark == nil then
    return
  end
  if room.blocks_draw ~= mark[1] then
    redis.call("DEL", key.entry_blocks)
    set("blocks_draw", mark[1])
    set("blocks_from", mark[3])
  end
  local index = first - room.blocks_from
  if index >= 0 and index + count <= 30000000 then
    write_rows(key.entry_blocks, index, rows, count)
  end
end

--- Whether the place is that of an entry that was voided.
--
-- @param position as far as the caller knows it
local function is_voided(number, position)
  if room.void_count == 0 or number == 0 then
    return false
  end
  for _, mark in ipairs(room.draw_marks) do
    if mark[2] == 5 and is_entry_of(mark, number) and position < mark[7] then
      return false
    end
  end
  return is_any(
    room.voids,
    function(entry_void) return entry_void.restoredMs == 0 and has_number(entry_void.numbers, number) end
  )
end

local function void_entries(request)
  if request.edition ~= room.edition then
    return {result = "closed"}
  end
  local existing = find_in_list(
    room.voids,
    function(candidate) return candidate.reference == request.reference end
  )
  if existing ~= nil then
    return is_same_void(existing, request) and ({result = "voided", stored = existing}) or ({result = "conflict"})
  end
  if request.draw ~= taking_entries() then
    return {result = "closed"}
  end
  if room.queued - request.through > 20000 then
    return {result = "behind"}
  end
  local stored = {
    reference = request.reference,
    draw = request.draw,
    reason = request.reason,
    blocks = request.blocks,
    atMs = room.at_ms,
    restoredMs = 0,
    numbers = with_tail(request)
  }
  local voids = filter_list(
    room.voids,
    function() return true end
  )
  voids[#voids + 1] = stored
  if are_too_many(voids) then
    return {result = "too_many"}
  end
  put_voids(voids)
  return {result = "voided", stored = stored}
end

--- An appeal was granted: the entries take part again.
local function restore_entries(request)
  local existing = find_in_list(
    room.voids,
    function(candidate) return candidate.reference == request.reference end
  )
  if existing == nil or request.edition ~= room.edition then
    return {result = "unknown"}
  end
  if existing.restoredMs == 0 then
    if existing.draw ~= taking_entries() then
      return {result = "closed"}
    end
    existing.restoredMs = room.at_ms
    put_voids(room.voids)
  end
  return {result = "restored", stored = existing}
end

--- What others remember of this edition. A void that was taken back stays so; one that comes too late for a draw whose entries are
-- fixed does not count.
local function merge_voids(theirs)
  if #room.voids == 0 and #theirs == 0 then
    return
  end
  local merged = filter_list(
    room.voids,
    function(entry_void) return stands(entry_void) end
  )
  for _, other in ipairs(theirs) do
    local ours = find_in_list(
      merged,
      function(entry_void) return entry_void.reference == other.reference end
    )
    if ours ~= nil then
      ours.restoredMs = math.max(ours.restoredMs, other.restoredMs)
    elseif #merged < 200 and stands(other) then
      merged[#merged + 1] = other
    end
  end
  put_voids(merged)
end
