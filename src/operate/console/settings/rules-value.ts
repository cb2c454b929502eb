/** Rules for addresses as a field has them, one on a line, its name, action and ranges: `office pass 198.51.100.0/24 2001:db8::/32`. */

export function rulesText(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value
    .map(({ name, action, ranges }: { name: unknown; action: unknown; ranges: unknown }) =>
      [name, action, ...(Array.isArray(ranges) ? ranges : [])].join(" "),
    )
    .join("\n");
}

/** On one line. */
export function rulesInWords(value: unknown): string {
  return rulesText(value).split("\n").join("; ");
}

/** What is missing or wrong the gateway says. */
export function readRules(text: string): unknown {
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  if (lines.length === 0 || lines.join() === "off") return "off";
  return lines.map((line) => {
    const [name = "", action = "", ...ranges] = line.split(/[\s,]+/);
    return { name, action, ranges: ranges.filter((range) => range !== "") };
  });
}
