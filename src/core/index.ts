/**
 * The rules of the line, written once and without I/O: limiter, gaps, phases, clocks, draws, inlets, claims, admissions. The
 * embedded store runs them; `npm run lua` compiles them to the Lua that Redis runs, so they keep to a plain subset of TypeScript
 * (tools/lua/subset.mjs says which). `room.ts` is the state that they go by, `ports/` the collections. What a store promises
 * stands in `store/contract`; how it keeps the state, in `store/memory` and `store/redis`. Called by these, and by `room/`
 * for the rules that a process applies to what it remembers.
 */
export type { Group, Limiter, Room } from "./room.ts";
