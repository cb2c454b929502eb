-- Bindings of core/ports/texts.ts.

-- JSON has a null where Lua has nothing.
local function without_nulls(values)
  for name, value in pairs(values) do
    if value == cjson.null then values[name] = nil elseif type(value) == 'table' then without_nulls(value) end
  end
  return values
end

local function decode_settings(text)
  return without_nulls(cjson.decode(text))
end

local patched_parts = { inlet = true, schedule = true, admission = true, draw = true }

-- The file's settings with the live changes over them, both decoded. Changes `settings`.
local function apply_patch(settings, live)
  for name, value in pairs(live) do
    if patched_parts[name] then
      for member, inner in pairs(value) do settings[name][member] = inner end
    else settings[name] = value end
  end
  return settings
end

local function patch_settings(file, live)
  return cjson.encode(apply_patch(cjson.decode(file), cjson.decode(live)))
end

local function is_same_value(one, other)
  if type(one) ~= 'table' or type(other) ~= 'table' then return one == other end
  for name, value in pairs(one) do
    if not is_same_value(value, other[name]) then return false end
  end
  for name in pairs(other) do
    if one[name] == nil then return false end
  end
  return true
end

local function are_same_settings(one, other)
  if one == '' or other == '' then return one == other end
  return is_same_value(cjson.decode(one), cjson.decode(other))
end

local function without_inlet(live)
  local changes = cjson.decode(live)
  changes.inlet = nil
  return cjson.encode(changes)
end
