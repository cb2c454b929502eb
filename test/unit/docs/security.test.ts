/** docs/security: every requirement has a state, what is met names files that exist, and the figures are those of the rows. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { isOfGoneFeature } from "../../../scripts/lib/links.mjs";

const root = new URL("../../../", import.meta.url);
const isThere = (path: string) =>
  existsSync(new URL(path, root)) || isOfGoneFeature(fileURLToPath(root), fileURLToPath(new URL(path, root)));
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const rowsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("|---"))
    .map((line) => line.slice(2, -2).split(" | "));

const states: readonly string[] = ["met", "does not apply", "the operator's", "not met"];

/** Levels of the requirements of ASVS 5.0.0, by section, in their order. */
const levels: Readonly<Record<string, string>> = {
  "1.1": "22",
  "1.2": "1111122223",
  "1.3": "112222222223",
  "1.4": "222",
  "1.5": "123",
  "2.1": "122",
  "2.2": "112",
  "2.3": "12223",
  "2.4": "23",
  "3.1": "3",
  "3.2": "113",
  "3.3": "12223",
  "3.4": "11222233",
  "3.5": "11122333",
  "3.6": "3",
  "3.7": "22333",
  "4.1": "12233",
  "4.2": "23333",
  "4.3": "22",
  "4.4": "1222",
  "5.1": "2",
  "5.2": "112333",
  "5.3": "113",
  "5.4": "222",
  "6.1": "122",
  "6.2": "111111112222",
  "6.3": "11223333",
  "6.4": "112233",
  "6.5": "22222333",
  "6.6": "2223",
  "6.7": "33",
  "6.8": "2222",
  "7.1": "222",
  "7.2": "1111",
  "7.3": "22",
  "7.4": "11222",
  "7.5": "223",
  "7.6": "22",
  "8.1": "1233",
  "8.2": "1123",
  "8.3": "133",
  "8.4": "23",
  "9.1": "111",
  "9.2": "1222",
  "10.1": "22",
  "10.2": "223",
  "10.3": "22223",
  "10.4": "1111122222233333",
  "10.5": "22222",
  "10.6": "22",
  "10.7": "222",
  "11.1": "2233",
  "11.2": "22233",
  "11.3": "11233",
  "11.4": "1222",
  "11.5": "23",
  "11.6": "23",
  "11.7": "33",
  "12.1": "12233",
  "12.2": "11",
  "12.3": "22223",
  "13.1": "2333",
  "13.2": "222223",
  "13.3": "2233",
  "13.4": "1222233",
  "14.1": "22",
  "14.2": "12223333",
  "14.3": "122",
  "15.1": "12233",
  "15.2": "12233",
  "15.3": "1222222",
  "15.4": "3333",
  "16.1": "2",
  "16.2": "22222",
  "16.3": "2222",
  "16.4": "222",
  "16.5": "2223",
  "17.1": "23",
  "17.2": "22223333",
  "17.3": "22",
};

/** `6.2.1–6.2.12, 6.3.1` names each of these. */
function namedBy(text: string): string[] {
  return text.split(", ").flatMap((part) => {
    const [first = "", last = first] = part.split("–");
    const [section, from, to] = [first.replace(/\.\d+$/, ""), ...[first, last].map((id) => Number(id.split(".")[2]))];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => `${section}.${Number(from) + index}`);
  });
}

/** The files that a document in `docs/security` leads to, as paths of the repository. */
function filesIn(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, path = ""]) => path);
  return links.filter((path) => path.startsWith(".")).map((path) => posix.join("docs/security", path));
}

function expectShown(state: string | undefined, text: string, name: string): void {
  expect(states, name).toContain(state);
  const files = filesIn(text);
  for (const file of files) expect(isThere(file), `${name}: ${file}`).toBe(true);
  // What is met is met somewhere; the rest says why, or what to do.
  expect(state === "met" ? files.length > 0 : /\w+ \w+/.test(text), name).toBe(true);
}

describe("OWASP ASVS 5.0", () => {
  const rows = rowsOf(read("docs/security/asvs.md"));
  const requirements = rows.filter(([first]) => /^\d+\.\d+\.\d+/.test(first ?? ""));
  const expected = Object.entries(levels).flatMap(([section, each]) =>
    [...each].map((level, index) => [`${section}.${index + 1}`, level] as const),
  );

  test("all 345 requirements stand there, each once, in their order and with their levels", () => {
    expect(requirements.flatMap(([ids = ""]) => namedBy(ids))).toEqual(expected.map(([id]) => id));
    const levelOf = new Map<string, string>(expected);
    for (const [ids = "", level] of requirements) {
      const own = [...new Set(namedBy(ids).map((id) => levelOf.get(id)))].sort();
      expect(level, ids).toBe(own.join(", "));
    }
  });

  test("each has a state, and what is met names files that exist", () => {
    for (const [ids = "", , , state, ...text] of requirements) expectShown(state, text.join(" | "), ids);
  });

  test("the figures at the top are those of the rows", () => {
    const levelOf = new Map<string, string>(expected);
    for (const state of states) {
      const own = requirements.filter((row) => row[3] === state).flatMap(([ids = ""]) => namedBy(ids));
      const counts = ["1", "2", "3"].map((level) => String(own.filter((id) => levelOf.get(id) === level).length));
      expect(rows).toContainEqual([state, ...counts, String(own.length)]);
    }
  });
});

describe("RFC 9700", () => {
  const rows = rowsOf(read("docs/security/rfc9700.md"));
  const requirements = rows.filter((row) => /^[24]\.\d/.test(row[0] ?? "") && row.length === 5);

  test("each has a state, what is met names files that exist, and the figures are those of the rows", () => {
    expect(requirements.length).toBeGreaterThan(45);
    for (const [section = "", word, about, state, text = ""] of requirements) {
      expect(word, section).toMatch(/^(MUST|MUST NOT|REQUIRED|SHOULD|SHOULD NOT|RECOMMENDED)$/);
      expectShown(state, text, `${section} ${about}`);
    }
    for (const state of states) {
      expect(rows).toContainEqual([state, String(requirements.filter((row) => row[3] === state).length)]);
    }
  });
});

test("each promise of the security model names a test that exists", () => {
  const text = read("docs/security-model.md");
  const promises = /## What is promised\n([\s\S]*?)\n## /.exec(text)?.[1]?.match(/^\d+\. .*$/gm) ?? [];
  expect(promises.length).toBeGreaterThan(10);
  for (const promise of promises) {
    const shown = [...promise.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, path = ""]) => path);
    expect(shown.length, promise).toBeGreaterThan(0);
    for (const path of shown) expect(isThere(path), path).toBe(true);
  }
});

describe("the source", () => {
  const source = (folder: string) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => ({ file, text: read(`${folder}/${file}`) }));
  const filesWith = (folder: string, pattern: RegExp) =>
    source(folder).flatMap(({ file, text }) => (pattern.test(text) ? [file] : []));

  test("starts no program, runs no text as code but templates, and checks all certificates", () => {
    expect(filesWith("src", /child_process/)).toEqual([]);
    expect(filesWith("src", /node:vm|(^|[^.\w])eval\(|new Function\(/m)).toEqual(["web/pages/render/templates.ts"]);
    expect(filesWith("src", /rejectUnauthorized|NODE_TLS_REJECT/)).toEqual([]);
  });

  test("puts no text into a page as markup", () => {
    const insertion =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet|setHTML|createContextualFragment/;
    expect([...filesWith("src/web/browser", insertion), ...filesWith("src/features", insertion)]).toEqual([]);
  });

  test("keeps nothing of the admin API in the operator's browser but two switches", () => {
    const storage = /localStorage|sessionStorage|indexedDB|caches\.open/;
    expect(filesWith("src/operate/console", storage).sort()).toEqual(["room/key-help.tsx", "room/wake-lock.tsx"]);
  });
});
