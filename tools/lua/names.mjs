/** `flowMs` as Lua has it: `flow_ms`. Names that the compiler makes, and those of Lua, stay as they are. */
export function snake(name) {
  return name.startsWith("__") ? name : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
