-- Replaces the live changes of the settings if nothing has changed since the caller looked.
-- KEYS: state, group, group_log, log, rows.
-- ARGV: incarnation and what was seen of it; room; group; live_changes and effective settings (JSON); expected_version.
-- Returns 'ok' and the new version, or '' when the room is not at the expected one.

local refusal = enter({ 'version' })
if refusal then return refusal end

if room.version ~= tonumber(arg.expected_version) then
  save()
  return { 'ok', '' }
end
change_settings(arg.live_changes, arg.effective)
save()
return { 'ok', room.version }
