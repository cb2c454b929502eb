/** As vitest.config.ts names the projects of `*.long.test.ts`. */
const LONG_PROJECTS = "*-long";

/** The arguments of vitest for those of scripts/test.mjs. A selection by hand (files, projects) replaces the usual one. */
export function toVitestArgs([kind, ...rest]) {
  if (kind === "--all") return rest;
  if (kind === "--long") return [`--project=${LONG_PROJECTS}`, ...rest];
  const args = kind === undefined ? [] : [kind, ...rest];
  return args.length > 0 ? args : [`--project=!${LONG_PROJECTS}`];
}

/** Whether somebody looks at a part of the tests: then each run counts. */
export function isSelection([kind, ...rest]) {
  return rest.length > 0 || (kind !== undefined && kind !== "--all" && kind !== "--long");
}
