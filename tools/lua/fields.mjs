/** What `core/room.ts` and `core/rows.ts` declare: how the fields of the state are kept, and the members of rows. */
import ts from "typescript";
import { snake } from "./names.mjs";

/** Parts of the room whose members are fields of its hash, too: `room.counts.left` is `count_left`. */
export const PARTS = new Map([
  ["counts", "count_"],
  ["progressNow", "progress_"],
  ["adaptive", "load_"],
  ["health", "health_"],
  ["statistics", "stat_"],
  ["presence", "presence_"],
  ["pull", "pull_"],
]);

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

/** The Lua table of the kinds of all fields that are no mere numbers; see prelude.lua. */
export function kindsOf(program) {
  const checker = program.getTypeChecker();
  const rows = rowsOf(program);
  const file = fileOf(program, "room.ts");
  const room = checker.getExportsOfModule(checker.getSymbolAtLocation(file)).find(({ name }) => name === "Room");
  const fields = [];
  for (const member of checker.getDeclaredTypeOfSymbol(room).getProperties()) {
    const type = checker.getTypeOfSymbol(member);
    if (PARTS.has(member.name)) {
      for (const inner of type.getProperties()) add(PARTS.get(member.name) + snake(inner.name), inner);
    } else if (member.name !== "group" && type.getProperty("isCollection") === undefined)
      add(snake(member.name), member);
  }
  return `local kinds = {\n${fields.map((field) => `  ${field},\n`).join("")}}`;

  function add(name, member) {
    const kind = kindOf(checker.getTypeOfSymbol(member));
    if (kind !== null) fields.push(`["${name}"] = "${kind}"`);
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

function isOf(type, flags) {
  return (type.isUnion() ? type.types : [type]).every((each) => (each.flags & flags) !== 0);
}

function fileOf(program, name) {
  return program.getSourceFiles().find(({ fileName }) => fileName.endsWith(`/src/core/${name}`));
}

function unwrapped(node) {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ? unwrapped(node.expression) : node;
}
