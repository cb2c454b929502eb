import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;
const REASON = /^\/\/ Long: (.+)$/m;

/** On how many days in a row the long tests begin at another place of their order, until it comes round. */
const DAYS_IN_TURN = 3;

/**
 * The test files below a folder, sorted by their path.
 *
 * @param root the folder of package.json
 * @returns of each its path from there, its kind, whether it is a long one, and what makes it long (null where it does not say)
 */
export function listTestFiles(root) {
  return readdirSync(join(root, "test"), { recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => describeFile(root, join("test", name)))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

function describeFile(root, path) {
  const isLong = path.endsWith(".long.test.ts");
  const reason = isLong ? (REASON.exec(readFileSync(join(root, path), "utf8"))?.[1] ?? null) : null;
  const file = path.split(sep).join("/");
  return { file, kind: kindOf(file), isLong, reason };
}

/** A test lies in `test/KIND`, or with a feature in `test/features/NAME/KIND`. */
function kindOf(file) {
  const [, folder, , kind] = file.split("/");
  return folder === "features" ? kind : folder;
}

/**
 * @param wanted `tier`: quick, long or all; `names`: parts of paths, and none of them means every file; `kinds` likewise
 * @returns the files wanted. Names that no quick test has mean the long ones.
 */
export function selectTestFiles(files, { tier, names, kinds }) {
  const named = files
    .filter(({ file }) => names.length === 0 || names.some((name) => file.includes(name)))
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  const ofTier = named.filter(({ isLong }) => tier === "all" || isLong === (tier === "long"));
  return ofTier.length === 0 && names.length > 0 && tier === "quick" ? named : ofTier;
}

/**
 * The order in which long tests run on a day. It is the same mixture each day, begun a third further on each: where there is time for
 * a third of them, three days run all.
 */
export function orderBySeed(files, seed) {
  const mixed = files
    .map((each) => ({ each, key: createHash("sha256").update(each.file).digest("hex") }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ each }) => each);
  const start = (seed * Math.ceil(mixed.length / DAYS_IN_TURN)) % Math.max(1, mixed.length);
  return [...mixed.slice(start), ...mixed.slice(0, start)];
}

/** All modules of test/ that files import, straight or through others, and the files themselves; paths from `root`. */
export function importedBy(root, files) {
  const seen = new Set();
  const waiting = files.map((file) => join(root, file));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    // A test may hold programs as texts, with imports of their own.
    if (seen.has(path) || !path.startsWith(join(root, "test", sep)) || !existsSync(path)) continue;
    seen.add(path);
    for (const [, specifier] of readFileSync(path, "utf8").matchAll(IMPORT)) {
      if (/\.tsx?$/.test(specifier)) waiting.push(resolve(dirname(path), specifier));
    }
  }
  return new Set([...seen].map((path) => relative(root, path).split(sep).join("/")));
}
