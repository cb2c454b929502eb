/** How the Lua is written: two spaces, names as Lua has them, and nothing of modules. */
import * as tstl from "typescript-to-lua";
import { snake } from "./names.mjs";

class CorePrinter extends tstl.LuaPrinter {
  pushIndent() {
    this.currentIndent += "  ";
  }

  popIndent() {
    this.currentIndent = this.currentIndent.slice(2);
  }

  printIdentifier(expression) {
    const text = expression.text === "____" ? "_" : snake(expression.text);
    return super.printIdentifier({ ...expression, text });
  }

  /** On one line as long as there is room. */
  isSimpleExpressionList(expressions) {
    const width = expressions.reduce((sum, each) => sum + this.printExpression(each).toString().length + 2, 0);
    return width <= 90 && !expressions.some((each) => tstl.isFunctionExpression(each));
  }

  printTableIndexExpression(expression) {
    const { table, index } = expression;
    if (table.text === "____exports") return this.printIdentifier({ ...table, text: index.value });
    return super.printTableIndexExpression(expression);
  }
}

/**
 * The declarations of a compiled file, in order: of each its name, its text, and the names that it uses.
 * Functions and values become `local`.
 */
export function declarationsOf(program, emitHost, { fileName, luaAst }) {
  const printer = new CorePrinter(emitHost, program, fileName);
  const declarations = [];
  for (const statement of luaAst.statements) {
    if (tstl.isReturnStatement(statement) || isExports(statement)) continue;
    const local = asLocal(statement);
    if (local === null) continue;
    const text = printer.printStatement(local).toString().trimEnd();
    declarations.push({ name: snake(local.left[0].text), text });
  }
  return declarations;
}

function isExports(statement) {
  return tstl.isVariableDeclarationStatement(statement) && statement.left[0].text === "____exports";
}

/** Null for a mere announcement: what is used before it is declared gets its place later. */
function asLocal(statement) {
  const [target] = statement.left ?? [];
  if (tstl.isVariableDeclarationStatement(statement) && statement.right === undefined) return null;
  if (tstl.isVariableDeclarationStatement(statement) && statement.left.length === 1) return statement;
  const name = target?.table?.text === "____exports" ? target.index.value : target?.text;
  if (!tstl.isAssignmentStatement(statement) || statement.left.length !== 1 || name === undefined) {
    throw new Error(`a core module may hold functions and constants only, not ${tstl.SyntaxKind[statement.kind]}`);
  }
  const local = tstl.createVariableDeclarationStatement(tstl.createIdentifier(name), statement.right[0]);
  local.leadingComments = statement.leadingComments;
  return local;
}
