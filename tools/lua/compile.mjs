/**
 * `npm run lua`: compiles `src/core` to the Lua that Redis runs, one file per module, under `src/store/redis/lua/generated`.
 * With `--check` it writes nothing and fails where the files are not what the source yields.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import * as tstl from "typescript-to-lua";
import { fieldsOf } from "./fields.mjs";
import { createPlugin } from "./plugin.mjs";
import { declarationsOf } from "./printer.mjs";
import { checkSubset } from "./subset.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const core = join(root, "src/core");
const target = join(root, "src/store/redis/lua/generated");
/** What of the core is no rule: types, and what the embedded store has in place of Redis. */
const WITHOUT_LUA = /^(index|room|rows)\.ts$|^ports\//;

const files = compile();
if (process.argv.includes("--check")) check(files);
else write(files);

/** Name and text of every generated file. */
function compile() {
  const names = readdirSync(core, { recursive: true }).filter((name) => name.endsWith(".ts"));
  const program = ts.createProgram(
    names.map((name) => join(core, name)),
    {
      target: ts.ScriptTarget.ES2023,
      lib: ["lib.es2023.d.ts"],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      luaTarget: tstl.LuaTarget.Lua51,
      luaLibImport: tstl.LuaLibImportKind.None,
      noImplicitSelf: true,
      noHeader: true,
    },
  );
  const faults = [];
  const report = (node, fault) => {
    const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
    faults.push(
      `${relative(root, node.getSourceFile().fileName)}:${line + 1} ${fault}: ${node.getText().slice(0, 80)}`,
    );
  };
  const isCore = (file) => file.fileName.startsWith(`${core}/`);
  const sources = program
    .getSourceFiles()
    .filter((file) => isCore(file) && !WITHOUT_LUA.test(relative(core, file.fileName)));
  for (const file of sources) checkSubset(file, program.getTypeChecker(), report);
  const { diagnostics, transpiledFiles } = tstl.getProgramTranspileResult(ts.sys, () => {}, {
    program,
    sourceFiles: sources,
    plugins: [createPlugin({ program, isCore, report })],
  });
  for (const { messageText, file, start } of [
    ...diagnostics,
    ...sources.flatMap((file) => program.getSemanticDiagnostics(file)),
  ]) {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    faults.push(
      `${file ? relative(root, file.fileName) : ""}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
  }
  const compiled = new Map();
  for (const file of transpiledFiles) {
    const [source] = file.sourceFiles;
    const name = `${relative(core, source.fileName).replaceAll("/", "-").replace(/\.ts$/, "")}.lua`;
    const text = textOf(source, declarationsOf(program, ts.sys, file)).replaceAll(/ +$/gm, "");
    for (const line of text.split("\n").filter((each) => each.includes("__"))) {
      faults.push(`${name} needs a library, or a name of the compiler: ${line.trim()}`);
    }
    compiled.set(name, text);
  }
  compiled.set(
    "fields.lua",
    `${headerOf("src/core/room.ts", "What fields are where they are no numbers that are 0 when they are missing, and which change seldom; see lib/prelude.lua.")}\n\n${fieldsOf(program)}\n`,
  );
  if (faults.length === 0) return compiled;
  process.stderr.write(`${faults.join("\n")}\n`);
  process.exit(1);
}

function textOf(source, declarations) {
  const path = relative(root, source.fileName);
  const about = /^\/\*\*([\s\S]*?)\*\//.exec(source.text)?.[1] ?? "";
  return `${headerOf(path, about)}\n\n${inOrder(declarations)
    .map(({ text }) => text)
    .join("\n\n")}\n`;
}

function headerOf(path, about) {
  const lines = about.split("\n").map((line) => line.replace(/^\s*\*? ?/, "").trim());
  return [
    `-- Generated from ${path} by \`npm run lua\`. Not to be edited.`,
    ...lines.filter(Boolean).map((line) => `-- ${line}`),
  ].join("\n");
}

/** Lua knows a name from its declaration on, so what is used comes first. */
function inOrder(declarations) {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const ordered = new Set();
  const begun = new Set();
  const add = (declaration) => {
    if (ordered.has(declaration)) return;
    if (begun.has(declaration)) throw new Error(`${declaration.name} is part of a circle`);
    begun.add(declaration);
    // Neither comments nor texts nor members are names.
    const code = declaration.text.replaceAll(/^\s*--.*$|"[^"]*"|\.\w+/gm, "");
    for (const word of code.match(/[A-Za-z_]\w*/g) ?? []) {
      const used = byName.get(word);
      if (used !== undefined && used !== declaration) add(used);
    }
    ordered.add(declaration);
  };
  for (const declaration of declarations) add(declaration);
  return [...ordered];
}

function write(files) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(target, name), text);
  process.stdout.write(`${files.size} files in ${relative(process.cwd(), target)}\n`);
}

function check(files) {
  const found = existsSync(target) ? readdirSync(target) : [];
  const stale = [...new Set([...found, ...files.keys()])].filter((name) => {
    return !found.includes(name) || readFileSync(join(target, name), "utf8") !== files.get(name);
  });
  if (stale.length === 0) return;
  process.stderr.write(`Not what src/core yields: ${stale.join(", ")}. Run \`npm run lua\` and commit.\n`);
  process.exit(1);
}
