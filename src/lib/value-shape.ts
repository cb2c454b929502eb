/** What programs and people leave around a value: `echo` a line end, Docker's env files quotes, editors a byte order mark. */

/** Without one line end after it, which `echo` writes and no secret has. */
export function withoutFinalLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** A variable of the environment; empty where it is not set. */
export function environmentValue(env: Readonly<Record<string, string | undefined>>, name: string): string {
  return withoutFinalLineEnd(env[name] ?? "");
}

/** What is around a value and hardly belongs to it, with what to do; null for nothing. The value is not repeated. */
export function strayAround(value: string): string | null {
  // Around the text of a key in PEM nothing matters.
  if (value.includes("-----BEGIN ")) return null;
  if (value.startsWith("\ufeff")) return "begins with a byte order mark: save it as UTF-8 without one";
  if (/^(["'])[\s\S]*\1$/.test(value) && value.length > 1) {
    return "is in quotes, which count as part of it: take them off (the env files of Docker and of Kubernetes keep them)";
  }
  if (value.trim() !== value) return "has white space or a line end at its beginning or end: take it off";
  return null;
}
