import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parseAst } from "vitest/node";
import { root } from "./paths.mjs";

/**
 * Copies this tree, as git has it and with what has changed since, to a folder without some features: without their folders, their tests
 * and their lines in the lists of src/features. What is made of the source (the reference, the build) is not remade.
 *
 * @param folder empty; its node_modules is a link to this tree's
 * @param names of folders of src/features; what needs one of them has to be named, too
 */
export function copyWithoutFeatures(folder, names) {
  const listed = execFileSync("git", ["ls-files", "-co", "-z", "--exclude-standard"], {
    cwd: root,
    maxBuffer: 2 ** 28,
  });
  for (const file of listed.toString().split("\0")) {
    const path = join(root, file);
    if (file !== "" && existsSync(path) && statSync(path).isFile()) cpSync(path, join(folder, file));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const features = join(folder, "src/features");
  for (const name of names) {
    for (const place of [features, join(folder, "test/features")])
      rmSync(join(place, name), { recursive: true, force: true });
  }
  for (const name of readdirSync(features).filter((file) => file.endsWith(".ts"))) {
    const path = join(features, name);
    const isGone = (specifier) => names.includes(relative(features, resolve(dirname(path), specifier)).split(sep)[0]);
    writeFileSync(path, withoutImports(readFileSync(path, "utf8"), isGone));
  }
}

/** The text of a list without the imports of what is gone, and without the elements of arrays in which they are named. */
export function withoutImports(text, isGone) {
  const { body } = parseAst(text, { lang: "ts" });
  const cuts = [];
  const gone = new Set();
  for (const node of body) {
    if (node.type !== "ImportDeclaration" || !isGone(node.source.value)) continue;
    cuts.push(node);
    for (const { local } of node.specifiers) gone.add(local.name);
  }
  walk(body, (node) => {
    if (node.type !== "ArrayExpression") return;
    for (const element of node.elements)
      if (names(element, gone)) cuts.push({ ...element, end: behindComma(text, element.end) });
  });
  return cuts
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

function behindComma(text, end) {
  return end + (/^\s*,/.exec(text.slice(end))?.[0].length ?? 0);
}

function names(node, identifiers) {
  let isNamed = false;
  walk(node, ({ type, name }) => {
    if (type === "Identifier" && identifiers.has(name)) isNamed = true;
  });
  return isNamed;
}

function walk(node, visit) {
  if (node === null || typeof node !== "object") return;
  if (typeof node.type === "string") visit(node);
  for (const value of Object.values(node)) walk(value, visit);
}
