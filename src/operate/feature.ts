import type { SettingsPart } from "../config/index.ts";

/** What a feature adds to the gateway. Light: what runs is loaded by `import()`. */
export interface Feature {
  /** Of its folder. */
  readonly name: string;
  /** What it is, in a few words. */
  readonly about: string;
  /** Of the documents, from the root of the repository. */
  readonly page: string;
  /** Features without which it does not work. */
  readonly needs?: readonly string[];
  /** Its key in the configuration file. */
  readonly settings?: SettingsPart;
}

/** What features add to the configuration file. */
export function settingsPartsOf(features: readonly Feature[]): readonly SettingsPart[] {
  return features.flatMap(({ settings }) => settings ?? []);
}
