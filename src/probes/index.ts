/**
 * What Usher asks the protected sites: the health URLs of the rooms' gates, and the latency of those of `adaptive`
 * inlets. It reports the results to the rooms; the store decides what follows. Made by app.ts, used by nothing else.
 */
export { createHealthProbes } from "./health-probe.ts";
export { createLoadProbes } from "./load-probe.ts";
