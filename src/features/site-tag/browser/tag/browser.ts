/** Of the browser. Each name is written out once in what is sent, and short wherever it is used. */
export const page = window;
export const tree = document;
export const here = location;
export const math = Math;
export const after = setTimeout;
/** The device's clock, which may be wrong by years: compared with itself alone, or put right by an answer. */
export const deviceMs = Date.now;
/** Ends what `setInterval` has begun, too (HTML, 8.7 Timers). */
export const cancel = clearTimeout;
