import type { FeatureCommand } from "../operate/commands/index.ts";

/** The commands of features, a line each. Of one part of the help, in its order. */
export const featureCommands: readonly FeatureCommand[] = [];
