import { withoutFinalLineEnd } from "../../lib/value-shape.ts";
import { SecretError } from "./secret-source.ts";

/**
 * The secret in a content that was fetched: all of it without a newline at its end, or the member `key` of a JSON object.
 *
 * @param name what the messages call the content
 * @throws SecretError that quotes nothing of the content
 */
export function readMember(content: string, key: string | undefined, name: string): string {
  const value = key === undefined ? withoutFinalLineEnd(content) : memberOf(content, key, name);
  const what = key === undefined ? name : `the member ${key} of ${name}`;
  if (typeof value !== "string") throw new SecretError(`${what} is ${kindOf(value)}: expected text in quotes`);
  if (value === "") throw new SecretError(`${what} is empty: write the secret into it`);
  return value;
}

function memberOf(content: string, key: string, name: string): unknown {
  let object: unknown;
  try {
    object = JSON.parse(content);
  } catch {
    // The parser's words quote the content.
    throw new SecretError(`${name} is no JSON, which key asks for: store a JSON object, or leave key out`);
  }
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    throw new SecretError(`${name} is ${kindOf(object)}, and key asks for a JSON object: store one, or leave key out`);
  }
  if (!Object.hasOwn(object, key)) throw new SecretError(`${name} has no member ${key}: add it, or correct key`);
  return (object as Record<string, unknown>)[key];
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
