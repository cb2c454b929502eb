/**
 * A gateway of several processes on one machine, one for each core (`workers` of the configuration). Each worker is a whole gateway
 * of its own, as on any other machine: it shares the store, and nothing else. Here is what they have a primary for: it starts them,
 * hands signals on, replaces those that end, restarts all in turn, and sums their metrics. It serves nobody and knows no room.
 * `primary.ts` has its story, `worker.ts` the other end. Made by command.ts; app.ts knows the worker's end alone.
 */

export { createFork, createPrimary, type Primary, workerCount } from "./primary.ts";
export { createWorker, type Worker } from "./worker.ts";
