import { readFileSync } from "node:fs";

const guide = readFileSync(new URL("../../docs/caching.md", import.meta.url), "utf8");

/** The blocks of docs/caching.md in a language, in their order, for a gateway at this port. */
export function blocksOf(language: string, port: number): string[] {
  const blocks = [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))];
  return blocks.map(([, block = ""]) =>
    block.replace("127.0.0.1:3000", `127.0.0.1:${port}`).replace('"3000"', `"${port}"`),
  );
}
