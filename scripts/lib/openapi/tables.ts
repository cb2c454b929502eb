/** Tables of routes in the documents, from what is described of them. */
import type { z } from "zod";
import { membersOf } from "../../../src/config/schema/settings-codec.ts";
import { codeStatuses } from "../../../src/lib/described-route.ts";
import { type DescribedRoute, describedRoutes, pathOf, type Tag } from "./routes.ts";

export const BEGIN = "<!-- begin: written by `npm run reference` from the tables of routes -->";
export const END = "<!-- end -->";

/** What stands in each document, by its name. */
const DOCUMENTS: Readonly<Record<string, { readonly tags: readonly Tag[]; readonly columns: readonly Column[] }>> = {
  "docs/admin-api.md": {
    tags: [
      "Rooms",
      "Line",
      "Admissions",
      "Visitors",
      "Statistics",
      "Clients",
      "Keys",
      "Admin keys",
      "People",
      "Audit",
      "Events",
      "Health",
      "Backup",
      "Themes",
    ],
    columns: ["request", "role", "what it does", "takes"],
  },
  "docs/api.md": { tags: ["Public API", "Pages"], columns: ["request", "what it does", "answers"] },
};

type Column = "request" | "role" | "what it does" | "takes" | "answers";

export const documentsWithTables = Object.keys(DOCUMENTS);

/** Names of members that a row has room for. */
const namesMax = 6;

/** The document with its table as it should be. */
export function withTable(document: string, page: string): string {
  const { tags, columns } = DOCUMENTS[document] ?? { tags: [], columns: [] };
  const routes = describedRoutes().filter(({ tag }) => tags.includes(tag));
  const rows = [
    columns,
    columns.map(() => "---"),
    ...routes.map((route) => columns.map((column) => cells[column](route))),
  ].map((row) => (row[0] === "---" ? `|${row.join("|")}|` : `| ${row.join(" | ")} |`));
  const [head, rest = ""] = page.split(BEGIN);
  return `${head}${BEGIN}\n\n${rows.join("\n")}\n\n${END}${rest.split(END).slice(1).join(END)}`;
}

const code = (text: string) => `\`${text}\``;

const cells: Readonly<Record<Column, (route: DescribedRoute) => string>> = {
  request: ({ method, path }) => code(`${method} ${pathOf(path)}`),
  role: ({ role }) => role ?? "",
  "what it does": ({ summary }) => summary,
  takes({ query, body, form, isRepeatable }) {
    const ofQuery = namesOf(query).map((name) => code(`?${name}`));
    const ofBody = namesOf(body ?? form).map(code);
    const named = ofBody.length > namesMax ? ["a document"] : ofBody;
    return [...ofQuery, ...named, ...(isRepeatable ? [code("Idempotency-Key")] : [])].join(", ");
  },
  answers({ answers, errors }) {
    const statuses = answers.map(({ status }) => String(status));
    const refusals = errors
      .filter((refusal) => !USUAL.includes(String(refusal)))
      .map((refusal) => {
        const [name, status] = typeof refusal === "string" ? [refusal, codeStatuses[refusal]] : refusal;
        return `${status} ${code(name)}`;
      });
    return [...statuses, ...refusals].join(", ");
  },
};

/** Any address may answer with these. */
const USUAL = [
  "bad_request",
  "bad_request,421",
  "request_too_long",
  "internal_error",
  "unknown_room",
  "store_unavailable",
];

function namesOf(schema: z.ZodType | undefined): string[] {
  return schema === undefined ? [] : (membersOf(schema) ?? []).map(([name]) => name);
}
