/** docs/operations.md lists what can be changed while Usher runs, and no more. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsChange } from "../../../src/config/index.ts";
import { membersOf } from "../../../src/config/schema/settings-codec.ts";
import { readSettingsBody } from "../../../src/operate/admin-api/rooms/settings.ts";

const page = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
/** Paths of all that can be changed while the program runs. */
const CHANGEABLE = (membersOf(settingsChange) ?? []).flatMap(
  ([key, member]) => membersOf(member)?.map(([name]) => `${key}.${name}`) ?? [key],
);

test("the keys that PATCH takes are those of its schema", () => {
  const [, list = ""] = /`PATCH` takes, in the words of the file: ([\s\S]*?)\.\n/.exec(page) ?? [];
  const named = [...list.matchAll(/`([^`]+)`/g)].map(([, key]) => key);
  expect(named).toEqual(CHANGEABLE);
});

test("the error names these, and none that it would refuse", () => {
  const refusal = (body: unknown) => {
    try {
      readSettingsBody(body);
    } catch (error) {
      return String(error);
    }
    return "";
  };
  const allowed = (body: unknown) => /allowed: (.*)$/.exec(refusal(body))?.[1]?.split(", ");
  const top = [...new Set(CHANGEABLE.map((key) => key.split(".")[0]))];
  expect(allowed({ colour: 1 })).toEqual(top);
  const ofInlet = CHANGEABLE.flatMap((key) => /^inlet\.(.*)$/.exec(key)?.[1] ?? []);
  expect(allowed({ inlet: { colour: 1 } })).toEqual(ofInlet);
  expect(refusal({ targets: [] })).toContain("targets: only the configuration file can set this");
});
