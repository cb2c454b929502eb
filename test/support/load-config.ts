import { type LoadedConfig, loadConfig as load, type LoadOptions as Options } from "../../src/config/index.ts";
import { features } from "../../src/features/index.ts";
import { settingsPartsOf } from "../../src/operate/feature.ts";

/** What all features add to the configuration file. */
export const parts = settingsPartsOf(features);

export type LoadOptions = Omit<Options, "parts">;

/** Loads a configuration with all that features add to it. */
export function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  return load({ ...options, parts });
}
