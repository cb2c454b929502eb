import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { systemClock } from "../../lib/clock-and-random.ts";
import { draftOf } from "../../lib/draft-file.ts";
import { reasonOf } from "../../lib/reason.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { CommandError, counted, printable, type Terminal, UsageError } from "../../operate/commands/terminal.ts";
import type { Migration, System } from "./migrate.ts";

interface Options {
  readonly issuer?: string;
  readonly out?: string;
  readonly strict?: true;
}

const systems: Readonly<Record<System, string>> = {
  aws: "AWS's Virtual Waiting Room: aws cloudformation describe-stacks",
  "queue-it": "Queue-it: integrationconfig.json",
  cloudflare: "Cloudflare: answers of its API, or terraform show -json",
};

/** `usher migrate SYSTEM FILE`: a configuration from another waiting room's export (docs/homes/migrate.md). Asks nobody. */
export function addMigrateCommand(program: Command, { packageDir, parts, print }: Terminal): void {
  const command = program
    .command("migrate")
    .description("write a configuration from the export of another waiting room, each line with how it fits");
  for (const [system, what] of Object.entries(systems) as [System, string][]) {
    command
      .command(`${system} <files...>`)
      .description(what)
      .option("--issuer <url>", "public address of Usher")
      .option("--out <file>", "write into this file, which must not be there, in place of standard output")
      .option("--strict", "end with 1 where something has no equal")
      .action(async (files: string[], { issuer, out, strict }: Options) => {
        if (issuer !== undefined && !(URL.canParse(issuer) && new URL(issuer).origin === issuer))
          throw new UsageError("--issuer: expected an address without a path, such as https://queue.example.com");
        const { inputBounds, readInput } = await import("./input.ts");
        const { migrate } = await import("./migrate.ts");
        if (files.length > inputBounds.files) throw new UsageError(`expected at most ${inputBounds.files} files`);
        const inputs = [];
        for (const file of files) inputs.push(await readInput(file));
        const languages = languagesOf(packageDir);
        const { yaml, counts } = migrate(system, inputs, {
          issuer: issuer ?? null,
          languages,
          nowMs: systemClock.now(),
        });
        // A fault is that of --issuer: what is read from files has none.
        const { loadConfig } = await import("../../config/index.ts");
        await loadConfig({ text: yaml, file: out ?? "the configuration", env: {}, parts, needsSecrets: false });
        if (out === undefined) print(yaml.replace(/\n$/, ""));
        else await writeNew(out, yaml);
        const summary = printable(describe(counts, out));
        if (out === undefined) program.configureOutput().writeErr?.(`${summary}\n`);
        else print(summary);
        if (strict && counts["left out"] > 0)
          throw new CommandError(`${counted(counts["left out"], "thing")} of the export had no equal (--strict)`);
      });
  }
  addExamples(
    program,
    "usher migrate aws stacks.json --issuer https://queue.example.com --out usher.yaml",
    "usher migrate queue-it integrationconfig.json --out usher.yaml",
    "usher migrate cloudflare state.json --out usher.yaml",
  );
}

/** Of the pages. */
function languagesOf(packageDir: string): string[] {
  return readdirSync(join(packageDir, "views", "locales"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length));
}

/** @throws CommandError where it is there already, or cannot be written */
async function writeNew(path: string, text: string): Promise<void> {
  const draft = draftOf(path);
  try {
    await writeFile(draft.path, text, { flag: "wx", mode: 0o600, flush: true });
    draft.put(false);
  } catch (error) {
    const reason = reasonOf(error);
    throw new CommandError(
      reason === "EEXIST"
        ? `${path} is there already: choose another --out. Nothing was written.`
        : `${path} cannot be written (${reason})`,
    );
  } finally {
    draft.drop();
  }
}

function describe(counts: Migration["counts"], out: string | undefined): string {
  const { exact, nearly, yours, "left out": without } = counts;
  const where = out === undefined ? "" : `${out} is written. `;
  return `${where}Exact: ${exact}; nearly: ${nearly}; left out: ${without}; for you to set: ${yours}. Its comments say which.`;
}
