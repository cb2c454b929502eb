import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeFile, describeSystemError } from "../../../src/lib/system-errors.ts";
import { tempDirOfTest } from "../../support/temp-dir-of-test.ts";

test.each([
  ["listen", /another with listen\.port or PORT /],
  ["admin.listen", /another with admin\.listen\.port\.$/],
])("a port that is taken is named with its setting: %s", (setting, sentence) => {
  const failure = Object.assign(new Error("taken"), { code: "EADDRINUSE", syscall: "listen", port: 3000, setting });
  expect(describeSystemError(failure)).toMatch(sentence);
});

test.each([
  ["a folder that is there", "", (path: string) => describeFile("EACCES", path, "making the secrets file")],
  [
    "a folder that is to be made",
    "kept/for/long",
    (path: string) => describeFile("EACCES", path, "making the secrets file"),
  ],
  ["a folder that could not be made", "kept", (path: string) => describeSystemError(refused("mkdir", path))],
  [
    "the folder of a file that could not be made",
    "",
    (path: string) => describeSystemError(refused("open", join(path, "a.json"))),
  ],
])("what is said to open %s can be done, and opens it", (_, name, describe) => {
  const path = join(tempDirOfTest("closed"), name);
  const command = /: sudo (.*)$/.exec(describe(path) ?? "")?.[1] ?? "";
  // To one's own user, no help is needed.
  execFileSync("sh", ["-c", command]);
  expect(() => accessSync(path, constants.W_OK)).not.toThrow();
});

test.each(["/", "/etc", "/var/lib", "/usr/local", "/opt/", "/home"])("nobody is advised to own %s", (path) => {
  expect(describeFile("EACCES", path, "making the secrets file")).toMatch(
    /: name a file in a folder of its own in \w+$/,
  );
  expect(describeSystemError(refused("open", join(path, "usher-is-not-here.json")))).not.toContain("chown");
});

function refused(syscall: string, path: string): Error {
  return Object.assign(new Error("permission denied"), { code: "EACCES", syscall, path });
}
