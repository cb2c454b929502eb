/** What docs/performance.md has of `usher plan`: reckoned when the documents are written, so that no figure is older than the bench's. */
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

interface Demand {
  readonly arrivals: number;
  readonly minutes: number;
  readonly outflowPerMinute: number;
  readonly page: "inline" | "linked";
  readonly hasCdn: boolean;
}

/** As far as a row needs it: the feature may be taken away, and its types with it. */
interface Plan {
  readonly demand: Demand;
  readonly line: { readonly lastWaitsMinutes: number };
  readonly perSecond: Readonly<Record<"joins" | "polls" | "logins", number>>;
  readonly gateways: { readonly count: number; readonly cores: number };
  readonly redis: { readonly cores: number; readonly gigabytes: number; readonly node: string | null };
  readonly egressGb: Readonly<Record<"polls" | "all", number>>;
  readonly aws: { readonly all: number };
}

const folder = fileURLToPath(new URL("../../src/features/plan", import.meta.url));
const PAGE = "docs/performance.md";
const BLOCK = /(<!-- begin: written by `npm run reference` from src\/features\/plan -->\n)[\s\S]*?(?=<!-- end -->)/;

const example = { arrivals: 1_000_000, minutes: 1, outflowPerMinute: 6_000, page: "linked", hasCdn: true } as const;
const sales = [
  { arrivals: 10_000, minutes: 1, outflowPerMinute: 600 },
  { arrivals: 100_000, minutes: 1, outflowPerMinute: 2_000 },
  { arrivals: 1_000_000, minutes: 1, outflowPerMinute: 6_000 },
  { arrivals: 10_000_000, minutes: 10, outflowPerMinute: 30_000 },
];

/** The page as it is to be; none where the feature was taken away. */
export async function planDocs(read: (file: string) => string): Promise<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const load = (file: string) => import(pathToFileURL(`${folder}/${file}`).href);
  const [{ reckonPlan }, { describePlan }, { benchFigures }] = await Promise.all(
    ["reckon.ts", "describe.ts", "bench-figures.ts"].map(load),
  );
  const planOf = (demand: Demand): Plan => reckonPlan(demand, benchFigures);
  const { arrivals, minutes, outflowPerMinute } = example;
  const command = `usher plan --arrivals ${arrivals} --minutes ${minutes} --outflow ${outflowPerMinute} --page linked --cdn`;
  const rows = sales.flatMap((sale) =>
    [true, false].map((hasCdn) => rowOf(planOf({ ...sale, page: hasCdn ? "linked" : "inline", hasCdn }))),
  );
  const text = [
    "```console",
    `$ ${command}`,
    describePlan(planOf(example)),
    "```",
    "",
    "Other sales, with a CDN and linked pages, and without one and whole pages:",
    "",
    "| arrivals, in minutes; let in a minute | CDN | the last one waits | joins, polls, logins a second at most | gateways: processes, cores used | Redis: of a core, memory | leaves, of it polls | AWS |",
    "|---|---|---:|---:|---:|---:|---:|---:|",
    ...rows,
  ];
  const page = read(PAGE);
  if (!BLOCK.test(page)) throw new Error(`${PAGE} has no place for the plans`);
  return { [PAGE]: page.replace(BLOCK, (_block, begin: string) => `${begin}${text.join("\n")}\n`) };
}

function rowOf({ demand, line, perSecond, gateways, redis, egressGb, aws }: Plan): string {
  const { arrivals, minutes, outflowPerMinute, hasCdn } = demand;
  const asked = [perSecond.joins, perSecond.polls, perSecond.logins].map((rate) => whole(Math.ceil(rate))).join(", ");
  const cells = [
    `${whole(arrivals)} in ${minutes}; ${whole(outflowPerMinute)}`,
    hasCdn ? "yes" : "no",
    line.lastWaitsMinutes < 90
      ? `${Math.ceil(line.lastWaitsMinutes)} min`
      : `${(line.lastWaitsMinutes / 60).toFixed(1)} h`,
    asked,
    `${gateways.count}, ${gateways.cores.toFixed(2)}`,
    `${redis.cores.toFixed(2)}, ${gigabytes(redis.gigabytes)}`,
    `${gigabytes(egressGb.all)}, ${gigabytes(egressGb.polls)}`,
    redis.node === null ? "more than one node" : `$${aws.all < 10 ? aws.all.toFixed(2) : whole(Math.round(aws.all))}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

const whole = (amount: number) => amount.toLocaleString("en-US");
const gigabytes = (amount: number) =>
  `${amount < 10 ? amount.toFixed(amount < 1 ? 2 : 1) : whole(Math.round(amount))} GB`;
