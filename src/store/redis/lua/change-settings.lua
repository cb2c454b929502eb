-- Replaces the live changes of the settings if nothing has changed since the caller looked.
-- KEYS: state, rows. ARGV: life; live and effective settings (JSON); expected_version.
-- Returns 'ok' and the new version, or '' when the room is not at the expected one.

local refusal = enter()
if refusal then return refusal end

if room.version ~= tonumber(arg.expected_version) then
  save()
  return { 'ok', '' }
end
set('live', arg.live)
set_effective(arg.effective)
set('version', room.version + 1)
save()
return { 'ok', room.version }
