import { expect, test } from "vitest";
import { describeSystemError } from "../../../src/lib/system-errors.ts";

test.each([
  ["listen", /another with listen\.port or PORT /],
  ["admin.listen", /another with admin\.listen\.port\.$/],
])("a port that is taken is named with its setting: %s", (setting, sentence) => {
  const failure = Object.assign(new Error("taken"), { code: "EADDRINUSE", syscall: "listen", port: 3000, setting });
  expect(describeSystemError(failure)).toMatch(sentence);
});
