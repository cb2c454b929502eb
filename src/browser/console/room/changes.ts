const lengthMax = 80;

/** `inlet.outflow_per_minute 600 → 660`, of the members that changed. */
export function changesInWords(changes: readonly { member: string; from?: unknown; to?: unknown }[]): string {
  return changes.map(({ member, from, to }) => `${nameOf(member)} ${short(from)} → ${short(to)}`).join("; ");
}

/** Members are JSON pointers (RFC 6901). */
function nameOf(pointer: string): string {
  return pointer
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"))
    .join(".");
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined || value === null ? "–" : JSON.stringify(value);
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}
