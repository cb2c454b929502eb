/** What is pasted at relying parties, and at proxies that ask for each request, as their guides have it: for `usher snippet`. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

/** Those whose text is the guide's with other values; what the others print depends on the client's settings (src/features/snippets). */
const GUIDES = [
  "auth0",
  "authjs",
  "browser",
  "cloudflare-access",
  "django",
  "envoy",
  "go",
  "keycloak",
  "lemonldap-ng",
  "node",
  "python",
  "ruby",
  "spring",
  "wordpress",
];

/** Sections of docs/forward-auth.md. */
const PROXIES = ["nginx", "traefik", "caddy"];

const file = "src/features/snippets/guide-texts.ts";
const isThere = existsSync(dirname(fileURLToPath(new URL(`../../${file}`, import.meta.url))));

/** Nothing where the feature was taken away. @param read of a file of the repository */
export function guideSnippets(read: (file: string) => string): Record<string, string> {
  if (!isThere) return {};
  const entries = GUIDES.map((name) => {
    const guide = read(`docs/relying-parties/${name}.md`);
    const example = JSON.stringify(clientOf(guide));
    return [`  ${JSON.stringify(name)}: {`, `    example: ${example},`, textOf(guide), "  },"];
  });
  const head = [
    "/** Written by `npm run reference` from the guides in docs/relying-parties, and from docs/forward-auth.md. Change those. */",
    "export const GUIDE_TEXTS = {",
  ];
  const guide = read("docs/forward-auth.md");
  const proxies = PROXIES.map((name) => {
    const [, text = ""] = new RegExp(`\\n## ${name}\\n+\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``, "i").exec(guide) ?? [];
    return [`  ${name}: [`, ...linesOf(text).map((line) => line.slice(2)), "  ],"];
  });
  const lines = [
    ...head,
    ...entries.flat(),
    "} as const;",
    "",
    "export const FORWARD_AUTH_TEXTS = {",
    ...proxies.flat(),
  ];
  return { [file]: [...lines, "} as const;", ""].join("\n") };
}

/** What stands in the text for what a client has. */
function clientOf(guide: string) {
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
  const { clients } = parse(yaml) as { clients: { client_id: string; redirect_uris: string[] }[] };
  const [client] = clients;
  return { clientId: client?.client_id ?? "", redirectUri: client?.redirect_uris[0] ?? "" };
}

/** The blocks of the section after "Usher", up to its list of remarks; where there is none, its table, a setting a line. */
function textOf(guide: string): string {
  const [, section = ""] = /\n## Usher\n[\s\S]*?\n## .*\n([\s\S]*?)(?:\n- \*\*|$)/.exec(guide) ?? [];
  const blocks = [...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, language, text = ""]) =>
    language === "sh" ? [] : [text],
  );
  const rows = [...section.matchAll(/^\| (.*?) \| (.*) \|$/gm)].flatMap(([, name = "", value = ""]) =>
    name === "setting" ? [] : [`${name}: ${value.replaceAll("`", "")}\n`],
  );
  const text = blocks.length > 0 ? blocks.join("\n") : rows.join("");
  return ["    lines: [", ...linesOf(text), "    ],"].join("\n");
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/).map((line) => `      ${JSON.stringify(line)},`);
}
