/**
 * Where several join a room at once, a process begins a call of the store so many milliseconds after the one before: fewer, larger calls
 * cost the store less. See room/visitor/joins.ts.
 */
export const joinPaceMs = 4;
