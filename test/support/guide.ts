/** A guide of docs/relying-parties as data: its blocks, and Usher's client as the real configuration reads it. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

export interface Guide {
  readonly text: string;
  /** The first block in a language; throws where there is none. */
  block(language: string): string;
  /** The client of the guide, with addresses replaced. */
  client(replacements?: Record<string, string>): Record<string, unknown>;
}

export function readGuide(name: string): Guide {
  const text = readFileSync(new URL(`../../docs/relying-parties/${name}.md`, import.meta.url), "utf8");
  function block(language: string): string {
    const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
    if (found === undefined) throw new Error(`${name}.md has no block of ${language}`);
    return found;
  }
  return {
    text,
    block,
    client(replacements = {}) {
      const { clients } = parse(replaceAll(block("yaml"), replacements)) as { clients: Record<string, unknown>[] };
      const [client] = clients;
      if (client === undefined || clients.length > 1) throw new Error(`${name}.md has ${clients.length} clients`);
      return client;
    },
  };
}

export function replaceAll(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

/** The arguments of the first block `name` of a piece of Terraform, by their names; maps become objects. */
export function terraformArguments(text: string, name: string): Record<string, unknown> {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => new RegExp(`^\\s*(resource )?"?${name}"?( "\\w+")?( =)? \\{$`).test(line));
  if (start < 0) throw new Error(`there is no block ${name}`);
  const result: Record<string, unknown> = {};
  let depth = 0;
  for (const line of lines.slice(start + 1)) {
    const [, key = "", value = ""] = /^\s*"?([\w:]+)"?\s+=\s+(.*)$/.exec(line) ?? [];
    if (depth === 0 && key !== "") result[key] = readValue(value);
    if (line.endsWith("{")) depth += 1;
    if (line.trim() === "}" && depth-- === 0) break;
  }
  return result;
}

/** The resources of a type in a piece of Terraform, each whole, by their names. */
export function terraformResources(text: string, type: string): Map<string, string> {
  const found = text.matchAll(new RegExp(`^resource "${type}" "(\\w+)" \\{\\n[\\s\\S]*?^\\}`, "gm"));
  return new Map([...found].map(([resource, name = ""]) => [name, resource]));
}

/** The strings of the first list `name` in a piece of Terraform. */
export function terraformList(text: string, name: string): string[] {
  const list = new RegExp(`\\b${name} = \\[([^\\]]*)\\]`).exec(text)?.[1] ?? "";
  return [...list.matchAll(/"([^"]*)"/g)].map(([, value = ""]) => value);
}

function readValue(text: string): unknown {
  if (text.startsWith('"')) return text.slice(1, -1);
  const pairs = /^\{ (.*) \}$/.exec(text)?.[1]?.matchAll(/(\w+) = "([^"]*)"/g);
  return pairs === undefined ? text : Object.fromEntries([...pairs].map(([, key = "", value = ""]) => [key, value]));
}
