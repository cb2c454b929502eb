/** What `core/room.ts` and `core/rows.ts` declare: how the fields of the state are kept, and the members of rows. */
import ts from "typescript";
import { snake } from "./names.mjs";

/** Parts of the room whose members are fields of its state, too: `room.counts.left` is `count_left`. */
export const PARTS = new Map([
  ["counts", "count_"],
  ["progressNow", "progress_"],
  ["adaptive", "load_"],
  ["health", "health_"],
  ["statistics", "stat_"],
  ["presence", "presence_"],
  ["pull", "pull_"],
]);

/** Long texts, which few operations read. */
const DOCUMENTS = new Set(["effective", "file", "live_changes", "pending_file", "told_draws"]);

/** Kinds of those that stand alone in the state's hash. */
const OWN_KINDS = new Set(["document", "rows", "words", "records"]);

/** Members of each kind of row, in their order, by the name of its type. */
export function rowsOf(program) {
  const rows = new Map();
  ts.forEachChild(fileOf(program, "rows.ts"), function visit(node) {
    if (ts.isVariableDeclaration(node) && node.name.getText() === "columns") {
      for (const member of unwrapped(node.initializer).properties) {
        rows.set(
          member.name.text,
          unwrapped(member.initializer).elements.map(({ text }) => text),
        );
      }
    }
    ts.forEachChild(node, visit);
  });
  return rows;
}

/**
 * Parts of the room that change seldom, beside the rules. No release moves a field between this, the others and `DOCUMENTS`: what was
 * written in the one place would hide what is written in the other.
 */
const SELDOM = new Set(["adaptive", "health", "statistics", "presence"]);

/**
 * The Lua tables of fields: `kinds`, what those are that are no mere numbers; and `seldom`, those that change seldom and have no field
 * of their own in the state; see prelude.lua.
 */
export function fieldsOf(program) {
  const checker = program.getTypeChecker();
  const rows = rowsOf(program);
  const file = fileOf(program, "room.ts");
  const room = checker.getExportsOfModule(checker.getSymbolAtLocation(file)).find(({ name }) => name === "Room");
  const fields = [];
  const seldom = [];
  const rules = namesOfRules(file);
  for (const member of checker.getDeclaredTypeOfSymbol(room).getProperties()) {
    const type = checker.getTypeOfSymbol(member);
    if (PARTS.has(member.name)) {
      for (const inner of type.getProperties()) {
        add(PARTS.get(member.name) + snake(inner.name), inner, SELDOM.has(member.name));
      }
    } else if (member.name !== "group" && type.getProperty("isCollection") === undefined)
      add(snake(member.name), member, rules.has(member.name));
  }
  return `${tableOf("kinds", fields)}\n\n${tableOf("seldom", seldom)}`;

  function add(name, member, isSeldom) {
    const kind = DOCUMENTS.has(name) ? "document" : kindOf(checker.getTypeOfSymbol(member));
    if (kind !== null) fields.push(`["${name}"] = "${kind}"`);
    if (isSeldom && !OWN_KINDS.has(kind)) seldom.push(`["${name}"] = true`);
  }

  function kindOf(type) {
    const present = checker.getNonNullableType(type);
    if (present.flags & ts.TypeFlags.NumberLike) return present === type ? null : "optional";
    if (isOf(present, ts.TypeFlags.StringLike)) return "text";
    if (isOf(present, ts.TypeFlags.BooleanLike)) return "flag";
    const element = checker.getIndexTypeOfType(present, ts.IndexKind.Number);
    if (element === undefined) throw new Error(`no field of Redis can be ${checker.typeToString(type)}`);
    if (isOf(element, ts.TypeFlags.StringLike)) return "words";
    // As JSON.
    if (isOf(element, ts.TypeFlags.NumberLike)) return "records";
    return rows.has((element.aliasSymbol ?? element.symbol).name) ? "rows" : "records";
  }
}

function tableOf(name, fields) {
  return `local ${name} = {\n${fields.map((field) => `  ${field},\n`).join("")}}`;
}

/** Members of `noRules`, the settings in force. */
function namesOfRules(file) {
  const names = new Set();
  for (const statement of file.statements) {
    const declarations = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
    for (const { name, initializer } of declarations) {
      if (name.getText() === "noRules") for (const member of initializer.properties) names.add(member.name.text);
    }
  }
  if (names.size === 0) throw new Error("core/room.ts declares no rules");
  return names;
}

function isOf(type, flags) {
  return (type.isUnion() ? type.types : [type]).every((each) => (each.flags & flags) !== 0);
}

function fileOf(program, name) {
  return program.getSourceFiles().find(({ fileName }) => fileName.endsWith(`/src/core/${name}`));
}

function unwrapped(node) {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ? unwrapped(node.expression) : node;
}
