/** `usher migrate`: its streams, its exit codes, the files that it writes and those that it refuses. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inputBounds } from "../../../../src/features/migrate/input.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { runUsher } from "../../../support/usher-command.ts";
import { loaded, pathOf } from "../support/samples.ts";

let folder: TempDir;
beforeAll(async () => {
  folder = await makeTempDir("migrate");
});
afterAll(() => folder.remove());

const run = (...args: readonly string[]) => runUsher(["migrate", ...args]);
const core = pathOf("aws/core.json");

async function fileWith(content: string | Uint8Array) {
  const path = join(folder.path, "export.json");
  await writeFile(path, content);
  return path;
}

test("the configuration goes to standard output, and what became of it to standard error", async () => {
  const { code, printed, failure } = await run(
    "aws",
    core,
    pathOf("aws/inlet.json"),
    "--issuer",
    "https://queue.shop.test",
  );
  expect(code).toBe(0);
  expect((await loaded(printed)).issuers[0]?.issuer).toBe("https://queue.shop.test");
  expect(failure).toMatch(/^Exact: \d+; nearly: \d+; left out: 2; for you to set: \d+\. [^\n]*\n$/);
});

test("--strict ends with 1 where something has no equal, and with 0 where nothing is left out", async () => {
  const strict = await run("aws", core, "--strict");
  expect([strict.code, strict.failure]).toEqual([
    1,
    expect.stringMatching(/1 thing of the export had no equal \(--strict\)/),
  ]);
  expect(strict.printed).toMatch(/^issuer: /m);
  const stack = {
    StackName: "a",
    Parameters: Object.entries({ EventId: "sale", ValidityPeriod: "60" }).map(([ParameterKey, ParameterValue]) => ({
      ParameterKey,
      ParameterValue,
    })),
    Outputs: [{ OutputKey: "PublicTokenIssuer", OutputValue: "https://x.test/api" }],
  };
  expect((await run("aws", await fileWith(JSON.stringify({ Stacks: [stack] })), "--strict")).code).toBe(0);
});

test("--out writes a file that nobody else reads, and none over another", async () => {
  const out = join(folder.path, "usher.yaml");
  const first = await run("cloudflare", pathOf("cloudflare/terraform.json"), "--out", out);
  expect([first.code, first.printed]).toEqual([0, expect.stringMatching(/usher\.yaml is written\. Exact: /)]);
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const text = await readFile(out, "utf8");
  await loaded(text);
  const again = await run("aws", core, "--out", out);
  expect([again.code, again.failure]).toEqual([1, expect.stringMatching(/is there already: choose another --out/)]);
  expect(await readFile(out, "utf8")).toBe(text);
  expect((await readdir(folder.path)).filter((name) => name.endsWith(".draft"))).toEqual([]);
  const nowhere = await run("aws", core, "--out", join(folder.path, "no", "x.yaml"));
  expect([nowhere.code, nowhere.failure]).toEqual([1, expect.stringMatching(/cannot be written \(ENOENT\)/)]);
});

test("it is used as it is described, or ends with 2", async () => {
  expect((await run("aws")).code).toBe(2);
  expect((await run("akamai", core)).code).toBe(2);
  expect(await run("aws", core, "--issuer", "https://queue.test/x")).toMatchObject({ code: 2, printed: "" });
  const http = await run("aws", core, "--issuer", "http://queue.test");
  expect([http.code, http.printed, http.failure]).toEqual([1, "", expect.stringMatching(/issuer: .*https/)]);
  expect(await run("aws", ...Array.from({ length: inputBounds.files + 1 }, () => core))).toMatchObject({ code: 2 });
});

const deep = (depth: number) => `${'{"a":['.repeat(depth / 2)}${"]}".repeat(depth / 2)}`;
const stacks = (Stacks: unknown) => JSON.stringify({ Stacks });

test.each([
  ["aws", "", /is no JSON: it is empty/],
  ["aws", "{", /is no JSON: expected a file as it was exported/],
  ["aws", `${" \n".repeat(100_000)}x`, /is no JSON: expected a file as it was exported/],
  ["aws", "[1]", /holds no JSON object/],
  ["aws", "{}", /is JSON of another kind; expected stacks: aws cloudformation describe-stacks/],
  ["aws", Buffer.from("\ufeff{}", "utf16le"), /is not UTF-8/],
  ["aws", deep(inputBounds.depth + 2), /is nested more than 256 times/],
  ["aws", "[".repeat(1_000_000), /is nested more than 256 times/],
  ["aws", "AWSTemplateFormatVersion: 2010-09-09\n", /a template in YAML: run aws cloudformation describe-stacks/],
  ["aws", '{"AWSTemplateFormatVersion":"2010-09-09","Resources":{}}', /is a template of CloudFormation/],
  ["aws", stacks([]), /no stack is the core of a waiting room/],
  ["aws", stacks([{ StackName: "a", Parameters: [{ ParameterKey: "EventId" }, null] }]), /no stack is the core/],
  [
    "aws",
    '{"Integrations":[]}',
    /is an integration configuration of Queue-it \(usher migrate queue-it\); expected stacks/,
  ],
  ["queue-it", stacks([]), /is stacks of CloudFormation \(usher migrate aws\); expected the integration configuration/],
  ["queue-it", '{"integrationInfo":"7b7d","hash":"00"}', /as it is pushed: save what integrationInfo holds/],
  ["queue-it", '{"Integrations":[]}', /no integration sends visitors into a waiting room/],
  [
    "cloudflare",
    'resource "cloudflare_waiting_room" "a" {\n}',
    /Terraform's own language.*[Rr]un terraform show -json/,
  ],
  ["cloudflare", "# cloudflare_waiting_room.a:\n", /run terraform show -json/],
  ["cloudflare", '{"success":false,"errors":[{"code":10000}],"result":null}', /is an error of Cloudflare's API/],
  ["cloudflare", '{"format_version":"1.0","terraform_version":"1.9.8","planned_values":{}}', /is a plan of Terraform/],
  ["cloudflare", '{"format_version":"1.0","terraform_version":"1.9.8"}', /without resources/],
  [
    "cloudflare",
    '{"version":4,"terraform_version":"1.9.8","lineage":"a","resources":[]}',
    /state file: run terraform show -json/,
  ],
  ["cloudflare", '{"result":[]}', /no file has a waiting room/],
  ["cloudflare", '{"values":{"root_module":{}}}', /no file has a waiting room/],
])("%s: a file that is none is refused, and what to do is said (%#)", async (system, content, message) => {
  const { code, printed, failure } = await run(system, await fileWith(content));
  expect([code, printed, failure]).toEqual([1, "", expect.stringMatching(message)]);
});

test("files that are away, without an end or of several customers are refused", async () => {
  expect((await run("aws", join(folder.path, "none.json"))).failure).toMatch(/there is no file/);
  expect((await run("aws", folder.path)).failure).toMatch(/cannot be read \(EISDIR\)/);
  expect((await run("aws", "/dev/zero")).failure).toMatch(/cannot be read \(it has more than 16777216 bytes\)/);
  const other = await fileWith(JSON.stringify({ CustomerId: "other", Integrations: [{ EventId: "a" }] }));
  const { failure } = await run("queue-it", pathOf("queue-it/integrationconfig.json"), other);
  expect(failure).toMatch(/of several customers \(acme, other\)/);
});
