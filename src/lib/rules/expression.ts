/**
 * Expressions: the part of the language of Cloudflare's rules that has an equal here (developers.cloudflare.com/ruleset-engine/rules-language),
 * with one condition more, `verified_crawler`. No regular expression of an operator's is run.
 */
import { createRangeFinder } from "../address-ranges.ts";
import { memberOf } from "../json.ts";
import {
  addressField,
  crawlerField,
  fieldNames,
  headerFault,
  headersField,
  rangeFault,
  textFields,
  valueFault,
  withoutEqual,
} from "./fields.ts";
import { type Condition, ruleBounds, type TextField, type TextTest } from "./syntax-tree.ts";

/** What is wrong in an expression, and at which character, from 1. */
export interface ExpressionFault {
  readonly column: number;
  readonly message: string;
}

/** @returns the condition, or all faults up to the first after which the rest cannot be read */
export function readExpression(
  text: string,
): { readonly condition: Condition } | { readonly faults: readonly ExpressionFault[] } {
  if (text.length > ruleBounds.expression)
    return {
      faults: [{ column: 1, message: `has ${text.length} characters: expected at most ${ruleBounds.expression}` }],
    };
  const reader = createReader(text);
  const condition = reader.whole();
  return condition === null || reader.faults.length > 0 ? { faults: reader.faults } : { condition };
}

/** Ends reading: what follows would be guessed. */
class Stop extends Error {}

interface Operand {
  readonly at: number;
  readonly end: number;
  readonly kind: "text" | "address" | "crawler" | "faulty";
  readonly field: TextField;
  readonly ignoresCase: boolean;
}

interface Value {
  readonly at: number;
  readonly text: string;
}

function createReader(text: string) {
  const faults: ExpressionFault[] = [];
  let at = 0;
  let depth = 0;

  const fault = (where: number, message: string) => void faults.push({ column: where + 1, message });
  const stop = (where: number, message: string): never => {
    fault(where, message);
    throw new Stop();
  };
  const skip = () => {
    while (/\s/.test(text[at] ?? "")) at++;
  };
  /** A word of letters, or one of the signs that stand for one. */
  const peekWord = () => /^(?:[a-z_][\w.]*|&&|\|\||\^\^|[=!]=|[<>]=?|[~!])/i.exec(text.slice(at, at + 128))?.[0] ?? "";
  const take = (...words: readonly string[]): boolean => {
    skip();
    const word = peekWord();
    if (!words.includes(word)) return false;
    at += word.length;
    return true;
  };
  const takeSign = (sign: string): boolean => {
    skip();
    if (!text.startsWith(sign, at)) return false;
    at += sign.length;
    return true;
  };
  const expect = (sign: string, what: string) => {
    if (!takeSign(sign)) stop(at, `expected ${what}`);
  };

  function whole(): Condition | null {
    try {
      skip();
      if (at === text.length) stop(at, 'is empty: write a condition, such as http.host eq "shop.example.com"');
      const condition = anyOf();
      skip();
      if (at < text.length) stop(at, `expected and, or, or the end here${quoteHint()}`);
      return condition;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      return null;
    }
  }

  function quoteHint(): string {
    if (text[at] === ")") return ": a parenthesis is closed that was not opened";
    return text[at] === "'" ? ': texts stand in double quotes ("…")' : "";
  }

  function anyOf(): Condition {
    const parts = [allOf()];
    while (take("or", "||")) parts.push(allOf());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "or", parts };
  }

  function allOf(): Condition {
    const parts = [factor()];
    for (;;) {
      if (take("and", "&&")) parts.push(factor());
      else {
        skip();
        if (["xor", "^^"].includes(peekWord())) stop(at, "xor has no equal here: write (a and not b) or (b and not a)");
        break;
      }
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "and", parts };
  }

  function factor(): Condition {
    skip();
    const from = at;
    if (++depth > ruleBounds.depth) stop(from, `is nested more than ${ruleBounds.depth} times: write it flatter`);
    let condition: Condition;
    if (take("not", "!")) condition = { kind: "not", part: factor() };
    else if (takeSign("(")) {
      condition = anyOf();
      expect(")", `a closing parenthesis for the one in column ${from + 1}`);
    } else condition = comparison();
    depth--;
    return condition;
  }

  function comparison(): Condition {
    skip();
    const from = at;
    const word = peekWord();
    const ofFunction = /^\s*\(/.test(text.slice(at + word.length));
    if (ofFunction && (word === "starts_with" || word === "ends_with")) return edgeTest(from, word);
    const of = operand();
    if (of.kind === "crawler") return { kind: "crawler", text: text.slice(from, at) };
    return compare(from, of);
  }

  function edgeTest(from: number, word: "starts_with" | "ends_with"): Condition {
    at += word.length;
    expect("(", "( after the function");
    const of = operand();
    expect(",", "a comma and a text");
    const value = quoted();
    expect(")", "a closing parenthesis: the function takes a field and a text");
    if (of.kind === "address") fault(of.at, "an address is no text: compare ip.src with in { … }");
    if (of.kind === "crawler") fault(of.at, `${crawlerField} is true or false, and no text`);
    return ofText(from, of, word === "starts_with" ? "starts" : "ends", [value]);
  }

  function operand(): Operand {
    skip();
    const from = at;
    const word = peekWord();
    if (word === "lower" && /^\s*\(/.test(text.slice(at + word.length))) {
      at += word.length;
      expect("(", "( after the function");
      const inner = operand();
      expect(")", "a closing parenthesis: lower takes a field");
      if (inner.kind === "address" || inner.kind === "crawler") fault(inner.at, "lower takes a text");
      return { ...inner, at: from, end: at, ignoresCase: true };
    }
    if (!/^[a-z_]/i.test(word)) {
      const found =
        at === text.length ? "the expression ends here" : `found ${JSON.stringify(text.slice(at, at + 12))}`;
      stop(from, `expected a field, not, or a parenthesis; ${found}`);
    }
    at += word.length;
    if (/^\s*\(/.test(text.slice(at)))
      stop(from, `there is no function ${word} here: there are starts_with, ends_with and lower`);
    return field(from, word);
  }

  function field(from: number, word: string): Operand {
    const base = { at: from, ignoresCase: false, field: { name: "path" } as TextField };
    if (word === headersField || word === "http.request.cookies") {
      const name = index(word);
      if (word !== headersField) return { ...base, end: at, kind: "text", field: { name: "cookie", cookie: name } };
      const header = name.toLowerCase();
      const wrong = headerFault(header);
      if (wrong !== null) fault(from, `the header ${JSON.stringify(name)} ${wrong}`);
      return { ...base, end: at, kind: "text", field: { name: "header", header } };
    }
    const found = memberOf(textFields, word);
    if (found !== undefined) return { ...base, end: at, kind: "text", field: found };
    if (word === addressField) return { ...base, end: at, kind: "address" };
    if (word === crawlerField) return { ...base, end: at, kind: "crawler" };
    const wayOut = withoutEqual.find(([pattern]) => pattern.test(word))?.[1];
    fault(
      from,
      wayOut === undefined ? `there is no field ${word}: there are ${fieldNames.join(", ")}` : `${word}: ${wayOut}`,
    );
    // Reading goes on, so that all faults are found at once.
    while (/^\s*\[[^\]]*\]/.test(text.slice(at))) at = text.indexOf("]", at) + 1;
    return { ...base, end: at, kind: "faulty" };
  }

  /** `["name"][0]` */
  function index(word: string): string {
    const wanted = `${word}["name"][0]`;
    expect("[", `a name in brackets: ${wanted}`);
    const name = quoted();
    expect("]", `a closing bracket: ${wanted}`);
    expect("[", `[0], for the first value: ${wanted}`);
    skip();
    const number = /^(?:\d+|\*)/.exec(text.slice(at))?.[0] ?? "";
    if (number !== "0") stop(at, "expected 0: only the first value of a name is compared");
    at += number.length;
    expect("]", `a closing bracket: ${wanted}`);
    return name.text;
  }

  function compare(from: number, of: Operand): Condition {
    skip();
    const where = at;
    if (take("eq", "==")) return compared(from, of, "equals", [value(of)]);
    if (take("ne", "!=")) return { kind: "not", part: compared(from, of, "equals", [value(of)]) };
    if (take("contains")) {
      if (of.kind === "address") fault(where, "an address contains nothing: compare ip.src with in { … }");
      return ofText(from, of, "contains", [quoted()]);
    }
    if (take("in")) return compared(from, of, "equals", set(of));
    const word = peekWord();
    const wayOut = memberOf(operatorHints, word);
    if (wayOut !== undefined) stop(where, `${word} has no equal here: ${wayOut}`);
    if (of.kind === "faulty" && (word === "" || ["and", "or", "&&", "||"].includes(word)))
      return ofText(from, of, "equals", []);
    return stop(where, "expected eq, ne, in or contains after the field");
  }

  function compared(from: number, of: Operand, test: TextTest, values: readonly Value[]): Condition {
    return of.kind === "address" ? ofAddress(from, values) : ofText(from, of, test, values);
  }

  function set(of: Operand): readonly Value[] {
    skip();
    if (text[at] === "$") stop(at, "lists with a name are kept at Cloudflare: write what is in it, in { … }");
    expect("{", "{ and values with blanks between them");
    const from = at;
    const values: Value[] = [];
    while (!takeSign("}")) {
      if (at >= text.length) stop(from - 1, "the list has no end: expected }");
      if (text[at] === ",") stop(at, "values of a list stand with blanks between them, without commas");
      values.push(value(of));
    }
    if (values.length === 0) fault(from - 1, "the list is empty: write values, or leave the comparison out");
    return values;
  }

  function value(of: Operand): Value {
    skip();
    const bare = /^[\w.:/*-]+/.exec(text.slice(at, at + 128))?.[0] ?? "";
    const isRaw = bare === "r" && /^r#*"/.test(text.slice(at));
    if (bare === "" || isRaw || (of.kind !== "address" && of.kind !== "faulty")) return quoted();
    at += bare.length;
    return { at: at - bare.length, text: bare };
  }

  /** A text in double quotes, in which `\"` and `\\` stand for a quote and a backslash; or raw: r"…", r#"…"#. */
  function quoted(): Value {
    skip();
    const from = at;
    const raw = /^r(#{0,8})"/.exec(text.slice(at, at + 16));
    if (raw !== null) {
      const end = text.indexOf(`"${raw[1]}`, at + raw[0].length);
      if (end < 0) stop(from, "the text has no end: a quote is missing");
      const inside = text.slice(at + raw[0].length, end);
      at = end + 1 + (raw[1]?.length ?? 0);
      return checked({ at: from, text: inside });
    }
    if (text[at] !== '"') stop(from, `expected a text in double quotes${quoteHint() === "" ? "" : quoteHint()}`);
    let inside = "";
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === "\\" && !['"', "\\"].includes(text[++at] ?? ""))
        stop(at - 1, 'only \\" and \\\\ have a backslash before them');
      inside += text[at];
    }
    if (at >= text.length) stop(from, "the text has no end: a quote is missing");
    at++;
    return checked({ at: from, text: inside });
  }

  function checked(value: Value): Value {
    const wrong = valueFault(value.text);
    if (wrong !== null) fault(value.at, wrong);
    return value;
  }

  function ofText(from: number, of: Operand, test: TextTest, values: readonly Value[]): Condition {
    if (of.kind === "text") for (const each of values) checkText(of, test, each);
    const { field, ignoresCase } = of;
    return {
      kind: "text",
      text: text.slice(from, at),
      field,
      test,
      values: values.map((each) => each.text),
      ignoresCase,
    };
  }

  /** What could never match is a mistake. */
  function checkText(
    { field: { name }, ignoresCase }: Operand,
    test: TextTest,
    { at: where, text: wanted }: Value,
  ): void {
    const isBeginning = test === "equals" || test === "starts";
    if (ignoresCase && wanted !== wanted.toLowerCase())
      fault(where, `lower(…) never has upper case: write ${JSON.stringify(wanted.toLowerCase())}`);
    if ((name === "path" || name === "uri") && isBeginning && !wanted.startsWith("/"))
      fault(where, `a path begins with a slash: write ${JSON.stringify(`/${wanted}`)}, or contains`);
    if (name === "path" && wanted.includes("?"))
      fault(where, "a path has no ?: compare http.request.uri.query besides");
    if (name === "query" && test !== "contains" && wanted.startsWith("?"))
      fault(where, `a query begins behind its ?: write ${JSON.stringify(wanted.slice(1))}`);
    if (name === "full_uri" && isBeginning && !/^https?:\/\//i.test(wanted) && !/^https?:?\/{0,2}$/i.test(wanted))
      fault(where, "a full address begins with https:// or http://");
    const host =
      name === "full_uri" ? (/^https?:\/\/([^/?#]*)\//i.exec(wanted)?.[1] ?? "") : name === "host" ? wanted : "";
    if (/[\u{80}-\u{10ffff}]/u.test(host))
      fault(where, "browsers send this host in its ASCII form (xn--…): write that");
    if (name === "host" ? test !== "contains" && test !== "starts" && host.endsWith(".") : /\.(?::|$)/.test(host))
      fault(where, "the dot that ends a host is left out here: leave it out, too");
    if (/^(?:https:\/\/[^/]*:443|http:\/\/[^/]*:80)\//i.test(name === "full_uri" ? wanted : ""))
      fault(where, "the usual port is left out here: leave it out, too");
    if (name === "host" && /[/:]/.test(wanted)) fault(where, "a host has neither a scheme nor a port nor a path");
    if (name === "method" && wanted !== wanted.toUpperCase())
      fault(where, `methods are upper case: write ${JSON.stringify(wanted.toUpperCase())}`);
  }

  function ofAddress(from: number, values: readonly Value[]): Condition {
    const ranges = values.flatMap(({ at: where, text: range }) => {
      const wrong = rangeFault(range);
      if (wrong === null) return [range];
      fault(where, wrong);
      return [];
    });
    const find = createRangeFinder(ranges.map((range) => [range, true]));
    return { kind: "address", text: text.slice(from, at), ranges, has: (address) => find(address) === true };
  }

  return { faults, whole };
}

const noPattern = "no pattern of yours is run on requests: use starts_with, ends_with, contains or in";
const noOrder = "fields here are texts and addresses: use eq, ne, in or contains";
const operatorHints: Readonly<Record<string, string>> = {
  matches: noPattern,
  "~": noPattern,
  wildcard: noPattern,
  strict: noPattern,
  lt: noOrder,
  le: noOrder,
  gt: noOrder,
  ge: noOrder,
  "<": noOrder,
  "<=": noOrder,
  ">": noOrder,
  ">=": noOrder,
  not: "write not before the field: not ip.src in { … }",
  starts_with: 'it is a function: starts_with(field, "…")',
  ends_with: 'it is a function: ends_with(field, "…")',
};
