import { expect, test } from "vitest";
import { jsonLine, jsonText } from "../../../../src/operate/commands/terminal.ts";

// What a gateway says: lines of others, a control of eight bits, text from right to left, a tag, half a pair.
const odd = { title: "a\u009b31m\u202e\u2028\u{e0041}\ud800\n\u001b[2J", rows: ["Ü", "日本", "🎟"] };

test("JSON of a command says the same, in characters that steer no terminal", () => {
  for (const text of [jsonText(odd), jsonLine(odd)]) {
    expect(JSON.parse(text)).toEqual(odd);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(text).toContain("日本");
  }
  expect(jsonText(odd).split("\n")).toHaveLength(8);
  expect(jsonLine(odd)).not.toContain("\n");
});
