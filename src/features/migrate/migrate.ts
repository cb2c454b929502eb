/** From files to a configuration as text, with what is said of each line. Neither files nor the terminal are touched here. */
import { countFits, exact, type Fit, type Line, renderLines, yours } from "./document.ts";
import { migrateAws } from "./from-aws.ts";
import { type CloudflareOptions, migrateCloudflare } from "./from-cloudflare.ts";
import { migrateQueueIt } from "./from-queue-it.ts";
import type { Input } from "./input.ts";

export type System = "aws" | "queue-it" | "cloudflare";

export interface MigrateOptions extends CloudflareOptions {
  /** Public address of Usher; null where nobody has said it. */
  readonly issuer: string | null;
}

export interface Migration {
  readonly yaml: string;
  readonly counts: Readonly<Record<Fit, number>>;
}

const usualIssuer = "https://queue.example.com";

/** @throws CommandError which says what is wrong with the files, or that they have nothing to migrate */
export function migrate(system: System, inputs: readonly Input[], options: MigrateOptions): Migration {
  const { issuer } = options;
  const lines: Line[] = [
    {
      key: "issuer",
      value: issuer ?? usualIssuer,
      note:
        issuer === null ? yours("the public address of Usher, at a host of the site's own domain") : exact("as given"),
    },
    {
      key: "store",
      value: { type: "memory" },
      note: yours("one process, for a try: { type: redis, url: … } is for a sale"),
    },
    ...linesOf(system, inputs, options),
  ];
  const head = [
    `# Written by usher migrate ${system}; check it with usher check. Each comment says how a line stands to what was exported:`,
    "# exact; nearly, and what differs; left out, and why; not needed; yours, what no export says.",
    "",
  ];
  return { yaml: `${head.join("\n")}${renderLines(lines)}`, counts: countFits(lines) };
}

function linesOf(system: System, inputs: readonly Input[], options: MigrateOptions): Line[] {
  if (system === "aws") return migrateAws(inputs);
  return system === "queue-it" ? migrateQueueIt(inputs) : migrateCloudflare(inputs, options);
}
