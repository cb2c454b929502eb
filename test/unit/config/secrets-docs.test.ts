/** docs/secrets.md: its examples are read as it says, and its policy is JSON that names what is asked for. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { stubAwsEnvironment } from "../../support/aws-environment.ts";
import { loadConfig } from "../../support/load-config.ts";
import { startSecretsManager } from "../../support/secrets-manager.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { clientWith, documentWith } from "./reloading.ts";

const page = readFileSync(fileURLToPath(new URL("../../../docs/secrets.md", import.meta.url)), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text = ""]) => text);
const [ofFiles, ofAws] = blocks("yaml").map((text) => parse(text));

afterEach(() => {
  vi.unstubAllEnvs();
});

it("two files that hold the same key are one key", async () => {
  const dir = await makeTempDir("secrets-docs");
  for (const name of ["tickets.key", "tickets.previous.key"]) {
    await writeFile(join(dir.path, name), `${"k".repeat(32)}\n`, { mode: 0o600 });
  }
  const document = documentWith([clientWith("s".repeat(16))], ofFiles);
  const { config } = await loadConfig({ document, file: join(dir.path, "usher.yaml"), env: {} });
  expect(config.issuers[0]?.keys.tickets).toEqual(["k".repeat(32)]);
  await dir.remove();
});

it("a secret of AWS Secrets Manager is found where the example says", async () => {
  const aws = await startSecretsManager();
  stubAwsEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url, AWS_REGION: undefined });
  aws.put("prod/usher", JSON.stringify({ shop_client_secret: "s".repeat(32) }));
  const document = documentWith([clientWith(ofAws.clients[0].client_secret)], { secrets: ofAws.secrets });
  const { config, reloaded } = await loadConfig({ document, env: {} });
  expect(config.issuers[0]?.clients[0]?.clientSecret).toBe("s".repeat(32));
  await reloaded.stop();
  await aws.close();
});

it("the policy allows what Usher asks for, and no more", () => {
  const [policy] = blocks("json").map((text) => JSON.parse(text));
  const actions = policy.Statement.map(({ Action }: { Action: string }) => Action);
  expect(actions).toEqual(["secretsmanager:GetSecretValue", "kms:Decrypt"]);
});
