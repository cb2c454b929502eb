/**
 * How `src/core` becomes Lua, where typescript-to-lua by itself would not know. A script of Redis works on one room, so:
 *
 * - `room` is no parameter, and `room.group` no member: they are variables of the script (prelude.lua);
 * - reading a field of the room is `room.flow_ms`, changing one is `set('flow_ms', value)`, which `save` writes;
 * - a collection of the room is a key of Redis, `key.pendingClaims`;
 * - a part of the room, as `room.counts`, is an object of its fields;
 * - `Object.assign(room, createPlaces())` sets each field to what it has before anything has happened, and deletes the collections;
 * - a new collection in place of one deletes that, `room.rows = createAdvanceRows()`;
 * - a row of a short list is `{ 5, 7 }` and its members are numbered, in the order of core/rows.ts;
 * - a number that has a name stands itself where the name is used: variables are made anew at every call;
 * - names are written as Lua has them, `flow_ms` for `flowMs`. Members of other objects keep their names: they are JSON.
 */
import ts from "typescript";
import * as tstl from "typescript-to-lua";
import { PARTS, rowsOf } from "./fields.mjs";
import { snake } from "./names.mjs";

const lua = tstl;

/** Types whose members are fields of a state, or handles of collections. */
const STATES = new Set(["Room", "Group", "Limiter"]);
/** What a parameter of this name is, is a variable of the script. */
export const AMBIENT = new Set(["room"]);

/** Methods of arrays by the Lua function that does the same. */
const METHODS = new Map([
  ["filter", "filter_list"],
  ["map", "map_list"],
  ["find", "find_in_list"],
  ["some", "is_any"],
  ["includes", "is_in_list"],
]);

const ASSIGNMENTS = new Map([
  [ts.SyntaxKind.EqualsToken, null],
  [ts.SyntaxKind.PlusEqualsToken, lua.SyntaxKind.AdditionOperator],
  [ts.SyntaxKind.MinusEqualsToken, lua.SyntaxKind.SubtractionOperator],
  [ts.SyntaxKind.AsteriskEqualsToken, lua.SyntaxKind.MultiplicationOperator],
]);

/**
 * @param isCore whether a source file belongs to the core
 * @param report takes a node and what is wrong with it
 */
export function createPlugin({ program, isCore, report }) {
  const rows = rowsOf(program);

  return {
    visitors: {
      [ts.SyntaxKind.ImportDeclaration]: () => undefined,
      [ts.SyntaxKind.Identifier](node, context) {
        const number = numberOf(node, context.checker);
        return number === null ? context.superTransformExpression(node) : lua.createNumericLiteral(number);
      },
      [ts.SyntaxKind.VariableStatement](node, context) {
        const { declarations } = node.declarationList;
        const isOfNumbers = declarations.every(({ name }) => numberOf(name, context.checker) !== null);
        return isOfNumbers ? [] : context.superTransformStatements(node);
      },
      [ts.SyntaxKind.PropertyAccessExpression](node, context) {
        if (isWholePart(node, context)) return tableOfPart(node, context);
        if (isGroup(node, context)) return lua.createIdentifier("group");
        const field = fieldOf(node, context);
        if (field !== null) {
          if (isCollection(context, node)) return keyOf(field, context);
          return index(context.transformExpression(field.state), field.name);
        }
        const object = typeName(context, node.expression);
        const member = node.name.text;
        const column = rows.get(object)?.indexOf(member) ?? -1;
        if (column < 0) return context.superTransformExpression(node);
        const row = context.transformExpression(node.expression);
        return lua.createTableIndexExpression(row, lua.createNumericLiteral(column + 1));
      },
      [ts.SyntaxKind.ObjectLiteralExpression](node, context) {
        const expected = context.checker.getContextualType(node);
        const columns = rows.get(expected === undefined ? "" : nameOf(context.checker, expected));
        if (columns === undefined) return context.superTransformExpression(node);
        const members = new Map(node.properties.map((member) => [member.name?.text, member]));
        const fields = columns.map((column) => {
          const member = members.get(column);
          if (member === undefined) report(node, `the row has no ${column}`);
          const value = member !== undefined && ts.isPropertyAssignment(member) ? member.initializer : member?.name;
          return lua.createTableFieldExpression(
            value === undefined ? lua.createNilLiteral() : context.transformExpression(value),
          );
        });
        return lua.createTableExpression(fields);
      },
      [ts.SyntaxKind.CallExpression](node, context) {
        const method = methodOf(node, context);
        if (method !== null) {
          const [list, argument] = [node.expression.expression, node.arguments[0]];
          const test = context.transformExpression(argument);
          // The library declares that its callbacks have a `this`; functions of the core have none.
          if (ts.isArrowFunction(argument) && lua.isFunctionExpression(test)) test.params?.shift();
          return lua.createCallExpression(lua.createIdentifier(method), [context.transformExpression(list), test]);
        }
        const call = context.superTransformExpression(node);
        const declaration = context.checker.getResolvedSignature(node)?.declaration;
        if (declaration === undefined || !isCore(declaration.getSourceFile()) || !lua.isCallExpression(call))
          return call;
        const names = declaration.parameters.map((parameter) => parameter.name.getText());
        for (const [at, argument] of node.arguments.entries()) {
          if (AMBIENT.has(names[at]) && argument.getText() !== names[at]) report(argument, `must be ${names[at]}`);
        }
        call.params = call.params.filter((_, at) => !AMBIENT.has(names[at]));
        return call;
      },
      [ts.SyntaxKind.FunctionDeclaration](node, context) {
        const statements = context.superTransformStatements(node);
        for (const statement of statements) {
          const made = statement.right?.[0];
          if (made !== undefined && lua.isFunctionExpression(made)) {
            made.params = made.params?.filter(({ text }) => !AMBIENT.has(text));
          }
        }
        return statements;
      },
      [ts.SyntaxKind.ExpressionStatement](node, context) {
        return (
          clearingOf(node.expression, context) ??
          changeOfState(node.expression, context) ??
          context.superTransformStatements(node)
        );
      },
    },
  };

  /** `key.pendingClaims`; of what may be of a room or of a shared outflow, `log_of(limiter)`. */
  function keyOf({ type, state, name }, context) {
    if (type === "Room") return index(lua.createIdentifier("key"), name);
    return lua.createCallExpression(lua.createIdentifier(`${name}_of`), [context.transformExpression(state)]);
  }

  /** `room.counts` for itself. */
  function isWholePart(node, context) {
    const isPart = PARTS.has(node.name.text) && typeName(context, node.expression) === "Room";
    return isPart && !ts.isPropertyAccessExpression(node.parent);
  }

  function isGroup(node, context) {
    return node.name.text === "group" && typeName(context, node.expression) === "Room";
  }

  /** An object with the fields of a part of the room as they are now. */
  function tableOfPart(node, context) {
    const prefix = PARTS.get(node.name.text);
    const members = context.checker.getTypeAtLocation(node).getProperties();
    return lua.createTableExpression(
      members.map(({ name }) => {
        const value = index(context.transformExpression(node.expression), prefix + snake(name));
        return lua.createTableFieldExpression(value, lua.createStringLiteral(name));
      }),
    );
  }

  /** Which field of which state a member is; null for a member of anything else. */
  function fieldOf(node, context) {
    const type = typeName(context, node.expression);
    if (STATES.has(type)) {
      return { type, state: node.expression, name: snake(node.name.text) };
    }
    const part = node.expression;
    if (!ts.isPropertyAccessExpression(part) || typeName(context, part.expression) !== "Room") return null;
    const prefix = PARTS.get(part.name.text);
    return prefix === undefined ? null : { type: "Room", state: part.expression, name: prefix + snake(node.name.text) };
  }

  /** What a statement does that puts in what a function of room.ts makes, `Object.assign(room.adaptive, createAdaptive())`. */
  function clearingOf(node, context) {
    if (!ts.isCallExpression(node) || node.expression.getText() !== "Object.assign") return undefined;
    const [target, made] = node.arguments;
    const prefix = typeName(context, target) === "Room" ? "" : PARTS.get(target.name?.text);
    const literal = context.checker.getResolvedSignature(made)?.declaration?.body?.statements[0]?.expression;
    if (prefix === undefined || literal === undefined || !ts.isObjectLiteralExpression(literal)) {
      return report(node, "only of the room or a part of it, and only what a function of room.ts makes");
    }
    const keys = [];
    const changes = [];
    for (const { name, initializer } of literal.properties) {
      const field = prefix + snake(name.text);
      if (isCollection(context, initializer)) keys.push(index(lua.createIdentifier("key"), field));
      else changes.push([lua.createStringLiteral(field), context.transformExpression(initializer)]);
    }
    const calls = changes.map((change) => lua.createCallExpression(lua.createIdentifier("set"), change));
    if (keys.length > 0) calls.push(deletionOf(keys));
    return calls.map((call) => lua.createExpressionStatement(call, node));
  }

  function deletionOf(keys) {
    const command = index(lua.createIdentifier("redis"), "call");
    return lua.createCallExpression(command, [lua.createStringLiteral("DEL"), ...keys]);
  }

  /** `set('field', value)` for a statement that changes a field of a state; undefined for any other one. */
  function changeOfState(node, context) {
    const isStep = ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node);
    const target = isStep ? node.operand : ts.isBinaryExpression(node) ? node.left : undefined;
    if (target === undefined || !ts.isPropertyAccessExpression(target)) return undefined;
    const field = fieldOf(target, context);
    if (field === null) return undefined;
    if (isCollection(context, target)) return lua.createExpressionStatement(deletionOf([keyOf(field, context)]), node);
    const name = lua.createStringLiteral(field.name);
    const value = isStep ? stepped(node, target, context) : assigned(node, target, context);
    const call =
      field.type === "Room"
        ? lua.createCallExpression(lua.createIdentifier("set"), [name, value])
        : lua.createCallExpression(lua.createIdentifier("put"), [
            context.transformExpression(field.state),
            name,
            value,
          ]);
    return lua.createExpressionStatement(call, node);
  }

  function stepped(node, target, context) {
    const operator =
      node.operator === ts.SyntaxKind.PlusPlusToken
        ? lua.SyntaxKind.AdditionOperator
        : lua.SyntaxKind.SubtractionOperator;
    return lua.createBinaryExpression(context.transformExpression(target), lua.createNumericLiteral(1), operator);
  }

  function assigned(node, target, context) {
    const operator = ASSIGNMENTS.get(node.operatorToken.kind);
    if (operator === undefined) report(node, "no such assignment to a field");
    const value = context.transformExpression(node.right);
    if (operator === null || operator === undefined) return value;
    return lua.createBinaryExpression(context.transformExpression(target), value, operator);
  }
}

/** What a constant of a module stands for; null for anything else. */
function numberOf(node, checker) {
  let symbol = checker.getSymbolAtLocation(node);
  if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return null;
  const { initializer, parent } = declaration;
  const isConstant = (parent.flags & ts.NodeFlags.Const) !== 0 && ts.isSourceFile(parent.parent.parent);
  return isConstant && initializer !== undefined && ts.isNumericLiteral(initializer) ? Number(initializer.text) : null;
}

function index(table, name) {
  return lua.createTableIndexExpression(table, lua.createStringLiteral(name));
}

function typeName(context, node) {
  return nameOf(context.checker, context.checker.getTypeAtLocation(node));
}

/** The name that a type was declared with; of `T | null` and `T | undefined` that of T. */
export function nameOf(checker, type) {
  const known = checker.getNonNullableType(type);
  return (known.aliasSymbol ?? known.symbol)?.name ?? "";
}

/** The function of lua/lib/prelude.lua for a method of arrays; null for any other call. */
function methodOf({ expression }, { checker }) {
  if (!ts.isPropertyAccessExpression(expression)) return null;
  const method = METHODS.get(expression.name.text);
  return method !== undefined && checker.isArrayLikeType(checker.getTypeAtLocation(expression.expression))
    ? method
    : null;
}

/** Handles of collections carry the member `collection` in their types. */
function isCollection(context, node) {
  const type = context.checker.getTypeAtLocation(node);
  return context.checker.getPropertyOfType(type, "isCollection") !== undefined;
}
