import { printableText } from "../logger.ts";

/** Errors that caused each other are a few. */
const causesMax = 4;

/**
 * Why a provider did not do what it was asked for, in the words of the libraries that asked: for the log. Of what the provider or a
 * browser sent only the error code of OAuth is in it: descriptions and other members may repeat what is secret.
 */
export function reasonOf(cause: unknown): string {
  const parts: string[] = [];
  for (let current = cause; current instanceof Error && parts.length < causesMax; current = current.cause) {
    const { error, status } = current as { error?: unknown; status?: unknown };
    const code = typeof error === "string" && /^[\w.-]{1,64}$/.test(error) ? ` (${error})` : "";
    const answer = typeof status === "number" ? ` (HTTP ${status})` : "";
    parts.push(printableText(wordsOf(current)) + code + answer);
  }
  return parts.join(": ") || "no error";
}

function wordsOf(error: Error): string {
  // A parser's words quote what it was given.
  if (error instanceof SyntaxError) return error.name;
  // Of a host with several addresses each has an error of its own.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return error.message || (first instanceof Error ? first.message : error.name);
}
