-- Generated from src/core/recovery/whole.ts by `npm run lua`. Not to be edited.
-- Whether a room that another run of the server goes on with is whole: nobody in its recovery knows of anything later than the state that
-- was found, and somebody has seen the room until shortly before. Then what was used is known, and nothing that was not used has to be void.

--- What was written under that run of a server is good as long as nothing is lost.
local function go_on_from(run)
  local others = filter_list(
    room.runs_before,
    function(other) return other ~= run end
  )
  local runs = {}
  local left = #others
  for _, other in ipairs(others) do
    if left < 10 then
      runs[#runs + 1] = other
    end
    left = left - 1
  end
  runs[#runs + 1] = run
  set("runs_before", runs)
end

local function is_beyond(seen)
  if seen.incarnation == "" or seen.incarnation == room.incarnation then
    return false
  end
  if seen.incarnation ~= room.found_incarnation then
    if incarnation_run(seen.incarnation) ~= incarnation_run(room.found_incarnation) then
      return true
    end
    return incarnation_number(seen.incarnation) > incarnation_number(room.found_incarnation)
  end
  if seen.flowMs > room.found_flow_ms or seen.edition > room.found_edition then
    return true
  end
  return seen.edition == room.found_edition and seen.queued > room.found_queued
end

local function knows_beyond(memory)
  if memory.edition ~= room.found_edition then
    return memory.edition > room.found_edition
  end
  return last_handed_out(memory.gaps, memory.queued) > room.found_queued
end

--- A recovery begins with a state that nobody is known to have seen a later one of.
--
-- @param found as it was, before any clock moved
local function record_found(found, run)
  set("is_whole", true)
  set("is_witnessed", false)
  set("found_incarnation", found.incarnation)
  set("found_flow_ms", found.flowMs)
  set("found_edition", found.edition)
  set("found_queued", found.queued)
  go_on_from(run)
end

--- Compares what joins the recovery with the state that was found.
local function compare_with_found(seen, memory)
  if not room.is_whole then
    return
  end
  if is_beyond(seen) or memory ~= nil and knows_beyond(memory) then
    set("is_whole", false)
  elseif seen.incarnation == room.found_incarnation and seen.flowMs + 10000 >= room.found_flow_ms then
    set("is_witnessed", true)
  end
end
