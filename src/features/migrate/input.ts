/** The files that are migrated: bounded before they are parsed, and told apart by what they hold. */
import { isUtf8 } from "node:buffer";
import { isObject } from "../../lib/json.ts";
import { readFileUpTo } from "../../lib/read-file.ts";
import { reasonOf } from "../../lib/reason.ts";
import { CommandError } from "../../operate/commands/terminal.ts";

export type Members = Readonly<Record<string, unknown>>;

export interface Input {
  /** As it was named. */
  readonly file: string;
  readonly json: Members;
}

export const inputBounds = {
  files: 50,
  /** Of one file. */
  bytes: 16 * 1_048_576,
  /** Lists and objects within each other: a hundred child modules of Terraform, and more. */
  depth: 256,
} as const;

/** @throws CommandError which says what is wrong with the file */
export async function readInput(file: string): Promise<Input> {
  const bytes = await readFileUpTo(file, inputBounds.bytes).catch((error: unknown) => {
    const reason = reasonOf(error);
    throw new CommandError(reason === "ENOENT" ? `there is no file ${file}` : `${file} cannot be read (${reason})`);
  });
  // Windows PowerShell writes UTF-16 where output is redirected.
  if (!isUtf8(bytes) || bytes.includes(0)) throw new CommandError(`${file} is not UTF-8: save it in that encoding`);
  return { file, json: parseInput(bytes.toString("utf8"), file) };
}

/** @throws CommandError */
export function parseInput(text: string, file: string): Members {
  const source = text.replace(/^\uFEFF/, "");
  if (isDeeperThan(source, inputBounds.depth))
    throw new CommandError(`${file} is nested more than ${inputBounds.depth} times: no export is`);
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch {
    throw new CommandError(`${file} is no JSON${hintOf(source)}`);
  }
  if (isObject(json)) return json;
  throw new CommandError(`${file} holds no JSON object: expected one, as it was exported`);
}

function hintOf(source: string): string {
  const start = source.trimStart().slice(0, 65_536);
  if (start === "") return ": it is empty";
  if (
    /^[ \t]*(?:resource|module|variable|terraform|provider|locals|data|output|moved|import)[ \t]*(?:"[^"\n]*"[ \t]*){0,2}\{/m.test(
      start,
    )
  )
    return ", but Terraform's own language: its expressions have no values yet. Run terraform show -json";
  if (/^[ \t]*(?:AWSTemplateFormatVersion|Resources|Parameters):/m.test(start))
    return ", but a template in YAML: run aws cloudformation describe-stacks";
  if (/^Stacks:|^- Stack|^STACKS\t/m.test(start)) return ": run aws cloudformation describe-stacks --output json";
  if (/^# \w+\.|^resource "/m.test(start)) return ", but what Terraform shows people: run terraform show -json";
  return ": expected a file as it was exported";
}

/** Looks at brackets outside of texts alone, so that nothing is built of a text that is too deep. */
function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === 0x5c) at++;
      else if (code === 0x22) isInText = false;
    } else if (code === 0x22) isInText = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > depthMax) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

const kinds: readonly (readonly [what: string, is: (json: Members) => boolean])[] = [
  ["stacks", (json) => Array.isArray(json.Stacks)],
  ["integrations", (json) => Array.isArray(json.Integrations)],
  ["state", (json) => isObject(json.values) && isObject(json.values.root_module)],
  ["answer", (json) => "result" in json && (isObject(json.result) || Array.isArray(json.result))],
];

/** What other files are that somebody may take for an export, and what to do. */
const others: readonly (readonly [what: string, is: (json: Members) => boolean])[] = [
  [
    "an error of Cloudflare's API: ask it again with a token that may read waiting rooms",
    (json) => json.success === false,
  ],
  ["a plan of Terraform: run terraform show -json without the plan", (json) => "planned_values" in json],
  [
    "a state of Terraform without resources: run terraform show -json where they are",
    (json) => "terraform_version" in json && "format_version" in json,
  ],
  ["Terraform's state file: run terraform show -json", (json) => "terraform_version" in json && "lineage" in json],
  [
    "a template of CloudFormation: run aws cloudformation describe-stacks",
    (json) => "AWSTemplateFormatVersion" in json || isObject(json.Resources),
  ],
  [
    "an answer of CloudFormation about resources: run aws cloudformation describe-stacks",
    (json) => "StackResources" in json || "StackSummaries" in json,
  ],
  [
    "an integration configuration as it is pushed: save what integrationInfo holds, which is JSON in hexadecimal",
    (json) => "integrationInfo" in json,
  ],
];
const kindNames: Readonly<Record<string, string>> = {
  stacks: "stacks of CloudFormation (usher migrate aws)",
  integrations: "an integration configuration of Queue-it (usher migrate queue-it)",
  state: "resources of Terraform (usher migrate cloudflare)",
  answer: "an answer of Cloudflare's API (usher migrate cloudflare)",
};

/**
 * The first of the wanted kinds that the file is of.
 *
 * @throws CommandError which says what it is, and what was expected
 */
export function requireKind<Kind extends string>(
  { file, json }: Input,
  wanted: readonly Kind[],
  expected: string,
): Kind {
  const kind = kinds.find(([, is]) => is(json))?.[0];
  const found = wanted.find((each) => each === kind);
  if (found !== undefined) return found;
  const other = kind === undefined ? others.find(([, is]) => is(json))?.[0] : kindNames[kind];
  throw new CommandError(`${file} is ${other ?? "JSON of another kind"}; expected ${expected}`);
}
