/**
 * The plain subset of TypeScript that `src/core` is written in: what means the same in Lua, or would cost there what it does
 * not cost here. Each rule says what is wrong with it.
 */
import ts from "typescript";
import { AMBIENT } from "./plugin.mjs";

const FORBIDDEN = new Map([
  [ts.SyntaxKind.ClassDeclaration, "no classes: functions over data"],
  [ts.SyntaxKind.ThisKeyword, "no `this`"],
  [ts.SyntaxKind.SpreadElement, "no spread: a loop"],
  [ts.SyntaxKind.SpreadAssignment, "no spread: name the members"],
  [ts.SyntaxKind.ObjectBindingPattern, "no destructuring: a member is read where it is used"],
  [ts.SyntaxKind.TryStatement, "no exceptions"],
  [ts.SyntaxKind.ThrowStatement, "no exceptions"],
  [ts.SyntaxKind.AwaitExpression, "nothing waits"],
  [ts.SyntaxKind.RegularExpressionLiteral, "no regular expressions: a port"],
  [ts.SyntaxKind.SwitchStatement, "no switch: else if"],
  [ts.SyntaxKind.ForInStatement, "no for in: the order differs"],
  [ts.SyntaxKind.DeleteExpression, "no delete"],
  [ts.SyntaxKind.TypeOfExpression, "no typeof"],
  [ts.SyntaxKind.NonNullExpression, "no assertion"],
  [ts.SyntaxKind.ConditionalType, "no conditional types"],
]);
const BITWISE = new Set([
  ts.SyntaxKind.AmpersandToken,
  ts.SyntaxKind.BarToken,
  ts.SyntaxKind.CaretToken,
  ts.SyntaxKind.LessThanLessThanToken,
  ts.SyntaxKind.GreaterThanGreaterThanToken,
  ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken,
]);
/** Names of Lua, and those that compiled code uses by itself. */
const TAKEN = new Set(
  "key arg set put redis string table math ipairs and elseif end goto local nil not or repeat then until".split(" "),
);

/** Calls `report` with each node of the file that is outside of the subset, and why. */
export function checkSubset(file, checker, report) {
  visit(file);

  function visit(node) {
    const fault = FORBIDDEN.get(node.kind);
    if (fault !== undefined) report(node, fault);
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    checkNode(node);
    ts.forEachChild(node, visit);
  }

  function checkNode(node) {
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) checkCondition(node.expression);
    if (ts.isConditionalExpression(node)) checkCondition(node.condition);
    if (ts.isForStatement(node)) report(node, "no counting loop: `for … of`, or `while`");
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      checkCondition(node.operand);
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.TildeToken) report(node, "no bits");
    if (node.questionDotToken !== undefined) report(node, "no optional chain");
    if (ts.isBinaryExpression(node)) checkBinary(node);
    if (ts.isTemplateSpan(node) && !isText(node.expression)) report(node, "a number becomes text by `textOf`");
    if (ts.isVariableDeclaration(node) && AMBIENT.has(node.name.getText())) report(node, "a variable of the script");
    if (isDeclarationWithName(node) && TAKEN.has(node.name.text)) report(node, `${node.name.text} is a name of Lua`);
    if (ts.isCallExpression(node)) checkCall(node);
  }

  function checkBinary(node) {
    const operator = node.operatorToken.kind;
    if (BITWISE.has(operator)) report(node, "no bits");
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken || operator === ts.SyntaxKind.BarBarToken) {
      checkCondition(node.left);
      checkCondition(node.right);
    }
    if (operator === ts.SyntaxKind.EqualsEqualsToken || operator === ts.SyntaxKind.ExclamationEqualsToken) {
      report(node, "`===`");
    }
    if (operator === ts.SyntaxKind.PlusToken && isText(node.left) !== isText(node.right)) {
      report(node, "a number becomes text by `textOf`");
    }
  }

  function isText(node) {
    const type = checker.getTypeAtLocation(node);
    return (type.isUnion() ? type.types : [type]).every(({ flags }) => (flags & ts.TypeFlags.StringLike) !== 0);
  }

  /** 0 and "" are true in Lua. */
  function checkCondition(node) {
    const type = checker.getTypeAtLocation(node);
    const parts = type.isUnion() ? type.types : [type];
    if (!parts.every(({ flags }) => (flags & ts.TypeFlags.BooleanLike) !== 0)) report(node, "a condition is a boolean");
  }

  /** Of what the language brings, what Lua has too. */
  function checkCall(node) {
    if (!ts.isPropertyAccessExpression(node.expression)) return;
    const name = `${isArray(node.expression.expression) ? "[]" : node.expression.expression.getText()}.${node.expression.name.text}`;
    if (!KNOWN_CALLS.has(name)) report(node, `no ${name}: a function of the core, or a port`);
  }

  function isArray(node) {
    return checker.isArrayLikeType(checker.getTypeAtLocation(node));
  }
}

const KNOWN_CALLS = new Set(
  (
    "Math.max Math.min Math.floor Math.ceil Math.abs Math.sqrt Object.assign " +
    "[].push [].pop [].shift [].filter [].map [].find [].some [].includes"
  ).split(" "),
);

function isDeclarationWithName(node) {
  return (ts.isVariableDeclaration(node) || ts.isParameter(node)) && ts.isIdentifier(node.name);
}
