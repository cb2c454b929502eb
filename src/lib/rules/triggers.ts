/**
 * Triggers, as they stand in an integration configuration of Queue-it: a list of triggers, of which one has to be true; each joins its
 * parts by And or Or. They are taken in their own spelling, so that what is compared is what was pasted.
 */
import { isObject } from "../json.ts";
import { headerFault, valueFault } from "./fields.ts";
import { type Condition, type RuleFault, ruleBounds, type TextField } from "./syntax-tree.ts";

type Path = RuleFault["path"];
type Written = Readonly<Record<string, unknown>>;

const triggerKeys = ["LogicalOperator", "TriggerParts"];
const partKeys = [
  ...["ValidatorType", "Operator", "ValueToCompare", "ValuesToCompare", "IsNegative", "IsIgnoreCase"],
  ...["UrlPart", "CookieName", "HttpHeaderName"],
];
const urlParts: Readonly<Record<string, TextField>> = {
  PagePath: { name: "path" },
  PageUrl: { name: "full_uri" },
  HostName: { name: "host" },
};
/** Integration configurations have the long names; the short ones mean the same. */
const validators = ["UrlValidator", "CookieValidator", "UserAgentValidator", "HttpHeaderValidator"];
const operators = ["Equals", "Contains", "EqualsAny", "ContainsAny"];

/** @param place of the list in the rules */
export function readTriggers(
  written: unknown,
  place: Path,
): { readonly condition: Condition } | { readonly faults: readonly RuleFault[] } {
  const faults: RuleFault[] = [];
  const fault = (path: Path, message: string) => void faults.push({ path: [...place, ...path], message });
  const parts = listOf(written, [], "triggers").map((trigger, at) => readTrigger(trigger, [at]));
  return faults.length > 0 ? { faults } : { condition: join("or", parts) };

  function listOf(value: unknown, path: Path, what: string): readonly unknown[] {
    if (Array.isArray(value) && value.length > 0 && value.length <= ruleBounds.triggers) return value;
    fault(path, `expected a list of 1 to ${ruleBounds.triggers} ${what}`);
    return [];
  }

  /** The members of a mapping with these keys; none of anything else. */
  function membersOf(value: unknown, path: Path, keys: readonly string[]): Written {
    if (!isObject(value)) {
      fault(path, `expected a mapping with ${keys.join(", ")}, as in an integration configuration`);
      return {};
    }
    for (const key of Object.keys(value)
      .filter((each) => !keys.includes(each))
      .slice(0, 10))
      fault([...path, key], `unknown key: there are ${keys.join(", ")}`);
    return value;
  }

  function readTrigger(trigger: unknown, path: Path): Condition {
    const { LogicalOperator: operator = "And", TriggerParts: written } = membersOf(trigger, path, triggerKeys);
    if (operator !== "And" && operator !== "Or") fault([...path, "LogicalOperator"], "expected And or Or");
    const place = [...path, "TriggerParts"];
    const parts = listOf(written, place, "parts").map((part, at) => readPart(part, [...place, at]));
    return join(operator === "Or" ? "or" : "and", parts);
  }

  function readPart(part: unknown, path: Path): Condition {
    const members = membersOf(part, path, partKeys);
    const field = readField(members, path);
    const operator = members.Operator;
    if (typeof operator !== "string" || !operators.includes(operator))
      fault([...path, "Operator"], `expected one of ${operators.join(", ")}`);
    const isNegative = flagOf(members, path, "IsNegative");
    const ignoresCase = flagOf(members, path, "IsIgnoreCase");
    const values = valuesOf(members, path, operator === "EqualsAny" || operator === "ContainsAny");
    const isContained = operator === "Contains" || operator === "ContainsAny";
    const text = describe(members, values);
    const compared: Condition = {
      kind: "text",
      text,
      field,
      test: isContained ? "contains" : "equals",
      values,
      ignoresCase,
    };
    const condition: Condition = isNegative ? { kind: "not", part: compared } : compared;
    // A star stands for any text, in a part that is turned round, too.
    if (!isContained || !values.includes("*")) return condition;
    return { kind: "or", parts: [{ ...compared, test: "present" }, condition] };
  }

  function readField(members: Written, path: Path): TextField {
    const { ValidatorType: type } = members;
    switch (typeof type === "string" ? type.replace(/Validator$/, "") : null) {
      case "Url": {
        const { UrlPart: part } = members;
        if (typeof part === "string" && Object.hasOwn(urlParts, part)) return urlParts[part] as TextField;
        fault([...path, "UrlPart"], `expected one of ${Object.keys(urlParts).join(", ")}`);
        return { name: "path" };
      }
      case "Cookie":
        return { name: "cookie", cookie: nameOf(members, path, "CookieName", /^[\w!#$%&'*+.^`|~-]{1,128}$/) };
      case "HttpHeader": {
        const header = nameOf(members, path, "HttpHeaderName", /^.{1,64}$/).toLowerCase();
        const wrong = header === "" ? null : headerFault(header);
        if (wrong !== null) fault([...path, "HttpHeaderName"], `the header ${wrong}`);
        return { name: "header", header };
      }
      case "UserAgent":
        return { name: "user_agent" };
      case "RequestBody":
        fault(
          [...path, "ValidatorType"],
          "RequestBody has no equal: proxies ask without the body; compare the path or the method",
        );
        return { name: "path" };
      default:
        fault([...path, "ValidatorType"], `expected one of ${validators.join(", ")}`);
        return { name: "path" };
    }
  }

  function nameOf(members: Written, path: Path, key: string, pattern: RegExp): string {
    const name = members[key];
    if (typeof name === "string" && pattern.test(name)) return name;
    fault([...path, key], "required: the name of what is compared");
    return "";
  }

  function flagOf(members: Written, path: Path, key: string): boolean {
    const flag = members[key] ?? false;
    if (typeof flag !== "boolean") fault([...path, key], "expected true or false");
    return flag === true;
  }

  function valuesOf(members: Written, path: Path, isList: boolean): readonly string[] {
    const key = isList ? "ValuesToCompare" : "ValueToCompare";
    const values = isList ? members[key] : [members[key]];
    if (!Array.isArray(values) || values.length === 0) {
      fault([...path, key], "expected a list of texts");
      return [];
    }
    if (values.length > ruleBounds.nodes) {
      fault([...path, key], `has ${values.length} values: expected at most ${ruleBounds.nodes}`);
      return [];
    }
    return values.flatMap((value, at) => {
      const place = isList ? [...path, key, at] : [...path, key];
      const wrong = typeof value === "string" ? valueFault(value) : "expected a text";
      if (wrong === null) return [value as string];
      fault(place, wrong);
      return [];
    });
  }
}

function join(kind: "and" | "or", parts: readonly Condition[]): Condition {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, parts };
}

function describe(
  { ValidatorType: type, UrlPart, CookieName, HttpHeaderName, Operator }: Written,
  values: readonly string[],
) {
  const of = [UrlPart, CookieName, HttpHeaderName].find((name) => typeof name === "string");
  const shown = values
    .slice(0, 5)
    .map((value) => JSON.stringify(value))
    .join(" ");
  return `${type}${of === undefined ? "" : ` ${of}`} ${Operator} ${shown}${values.length > 5 ? " …" : ""}`;
}
