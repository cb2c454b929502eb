/**
 * The demonstration: a site that Usher protects, its console, and a crowd. `usher demo` starts it; nothing else does. It knows
 * Usher as everybody does, by OpenID Connect and HTTP.
 */
export { startCrowd } from "./crowd.ts";
export { createOperator } from "./operator.ts";
export { createDemoSite } from "./site.ts";
