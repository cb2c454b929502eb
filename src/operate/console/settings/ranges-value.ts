/** Ranges of addresses as a field has them, one on a line: `198.51.100.0/24 off`, or `198.51.100.0/24 prequeue=500 burst=2000`. */

export function rangesText(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value.map(({ range, limit }: { range: unknown; limit: unknown }) => `${range} ${limitText(limit)}`).join("\n");
}

/** On one line. */
export function rangesInWords(value: unknown): string {
  return rangesText(value).split("\n").join("; ");
}

function limitText(limit: unknown): string {
  if (typeof limit !== "object" || limit === null) return String(limit);
  return Object.entries(limit)
    .map(([key, value]) => `${key}=${value}`)
    .join(" ");
}

/** What is missing or wrong the gateway says. */
export function readRanges(text: string): unknown {
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  return lines.map((line) => {
    const [range = "", ...limit] = line.split(/\s+/);
    if (limit.length === 1 && !limit[0]?.includes("=")) return { range, limit: limit[0] };
    const members = limit.map((word) => {
      const [key = "", value = ""] = word.split("=");
      return [key, /^\d{1,15}$/.test(value) ? Number(value) : value];
    });
    return { range, limit: Object.fromEntries(members) };
  });
}
