-- The gaps of the room, and what follows from them at once.

local gap_text, gap_list = '', {}

-- The room's gaps. Not to be changed in place.
local function room_gaps()
  if room.gaps ~= gap_text then gap_text, gap_list = room.gaps, decode_list(room.gaps) end
  return gap_list
end

-- Places that were handed out and not served.
local function people_waiting()
  return places_between(room_gaps(), room.serving, room.queued)
end
