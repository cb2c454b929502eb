/** The documents' links lead somewhere; and the check finds those that do not. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
// @ts-expect-error: a script without types
import { findBrokenLinks, headingAnchors } from "../../../scripts/lib/links.mjs";
import { makeTempDir } from "../../support/temp-dir.ts";

async function treeOf(files: Record<string, string>) {
  const dir = await makeTempDir("links");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(dir.path, path, ".."), { recursive: true });
    await writeFile(join(dir.path, path), text);
  }
  return dir;
}

test("no link of this repository's documents is broken", () => {
  expect(findBrokenLinks(fileURLToPath(new URL("../../..", import.meta.url)))).toEqual([]);
});

test("what leads nowhere is found, by file and link", async () => {
  const dir = await treeOf({
    "README.md": [
      "# One",
      "[good](docs/a.md) [anchor](docs/a.md#two-words) [own](#one) [web](https://example.com/x#y) <img src='no'>",
      "[gone](docs/gone.md) [no heading](docs/a.md#three) [outside](../other.md) [not a page](pic.svg#x)",
      '![picture](missing.png) <img src="missing.svg"> [titled](docs/gone2.md "a title")',
      "`[in code](nowhere.md)` and [`code` in a link](nowhere2.md)",
      "```md",
      "[in a block](nowhere3.md)",
      "```",
      "",
      "[by name]: nowhere4.md",
    ].join("\n"),
    "docs/a.md": "# A\n\n## Two words\n",
    "pic.svg": "",
    "src/a.ts":
      "/** docs/a.md, docs/a.md#two-words, docs/a.md#three and docs/none.md; not https://example.com/docs/other.md */",
  });
  expect(findBrokenLinks(dir.path)).toEqual([
    "README.md: docs/gone.md: no such file",
    "README.md: docs/a.md#three: no such heading",
    "README.md: ../other.md: outside of the repository",
    "README.md: pic.svg#x: an anchor of a file that has none",
    "README.md: missing.png: no such file",
    "README.md: docs/gone2.md: no such file",
    "README.md: nowhere2.md: no such file",
    "README.md: nowhere4.md: no such file",
    "README.md: missing.svg: no such file",
    "src/a.ts: docs/a.md#three: no such heading",
    "src/a.ts: docs/none.md: no such file",
  ]);
  await dir.remove();
});

test("anchors are those of the forge", () => {
  const page =
    "# `usher keys`: what it's *for*\n## Two\n## Two\n```sh\n# a comment\n```\n## [A link](x.md), and Größe\n";
  expect([...headingAnchors(page)]).toEqual(["usher-keys-what-its-for", "two", "two-1", "a-link-and-größe"]);
});
