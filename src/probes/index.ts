/**
 * What Usher asks the protected sites: the health URLs of the rooms' gates, and how long those of `adaptive` inlets take. It tells the rooms what it heard; what follows
 * from it is decided in the store. Made by app.ts, used by nobody else.
 */
export { createHealthProbes } from "./health-probe.ts";
export { createLoadProbes } from "./load-probe.ts";
