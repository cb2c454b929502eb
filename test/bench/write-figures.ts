import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type BenchFigures, benchFigures } from "../../src/features/plan/bench-figures.ts";

const file = join(import.meta.dirname, "../../src/features/plan/bench-figures.ts");
const declaration = "export const benchFigures: BenchFigures = ";

/** Puts what was measured where `usher plan` reckons by it; the other figures stay. */
export function writeFigures(measured: Partial<Omit<BenchFigures, "date" | "machine">>): void {
  const figures: BenchFigures = {
    ...benchFigures,
    date: new Date().toISOString().slice(0, 10),
    machine: `Node.js ${process.version}, ${availableParallelism()} cores`,
    ...measured,
  };
  const source = readFileSync(file, "utf8");
  const head = source.slice(0, source.indexOf(declaration) + declaration.length);
  writeFileSync(file, `${head}${literal(figures)};\n`);
}

/** As of the formatter. */
const lineWidth = 120;

/** As the formatter writes it: each member of the figures in one line where it fits. */
function literal(figures: BenchFigures): string {
  const lines = Object.entries(figures).map(([name, value]) => {
    if (typeof value === "string") return `  ${name}: ${JSON.stringify(value)},`;
    if (Array.isArray(value)) return bracketed(`  ${name}: [`, value.map(inOneLine), "]");
    return bracketed(`  ${name}: { `, membersOf(value), " }");
  });
  return `{\n${lines.join("\n")}\n}`;
}

const membersOf = (value: object) =>
  Object.entries(value as Record<string, number>).map(([key, n]) => `${key}: ${Math.round(n)}`);
const inOneLine = (value: object) => `{ ${membersOf(value).join(", ")} }`;

function bracketed(begin: string, members: readonly string[], end: string): string {
  const line = `${begin}${members.join(", ")}${end},`;
  if (line.length <= lineWidth) return line;
  return `${begin.trimEnd()}\n${members.map((member) => `    ${member},\n`).join("")}  ${end.trimStart()},`;
}
