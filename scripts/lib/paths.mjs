import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path below it. */
export const inRoot = (...parts) => join(root, ...parts);
