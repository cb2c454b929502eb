import type { FeatureCommand } from "../operate/commands/index.ts";
import { addPlanCommand } from "./plan/commands.ts";

/** The commands of features, a line each. Those of one part of the help stand in this order. */
export const featureCommands: readonly FeatureCommand[] = [{ part: "before a sale", add: addPlanCommand }];
