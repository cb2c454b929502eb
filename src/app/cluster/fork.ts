import cluster, { type Worker } from "node:cluster";

/**
 * Starts this program as a worker, with what `ps` shows of it.
 *
 * Workers accept connections themselves, from one socket: the kernel hands a connection to a worker that is free. With Node's own way
 * (`SCHED_RR`) the primary accepts, and a connection that is on its way to a worker that is killed is answered by nobody, and never closed.
 *
 * @param argsOf the arguments of the program for the worker in a slot
 */
export function createFork(argsOf: (slot: number) => string[]): (slot: number) => Worker["process"] {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  return (slot) => {
    // Metrics have numbers that JSON has not.
    cluster.setupPrimary({ args: argsOf(slot), serialization: "advanced" });
    return cluster.fork().process;
  };
}
