/** Numbers of the tag, in a file of their own: the bundler writes them where they are used. */

/** A page that goes to the room more often within this time is not helped by another visit. */
export const visitsMax = 3;
export const visitsWithinMs = 60_000;
/** In which the page has gone, or its visitor has chosen to stay. */
export const leavingMs = 5_000;
/** Characters; Usher takes none that is longer. */
export const targetLengthMax = 4_096;
/** Rooms. A visitor of more is sent to the one that was left out again, which lets them in. */
export const admissionsMax = 20;
/** The longest pause of the guard. */
export const guardPauseMsMax = 30_000;
/** For which a site can ask the guard to leave it alone. */
export const retryAfterMsMax = 120_000;
/** The first pause of a line without an answer is of 8 s. */
export const failuresBefore = 2;
/** By an answer that says less, or more, a page would ask without end, or no more. */
export const pauseMsMin = 1_000;
export const pauseMsMax = 600_000;
