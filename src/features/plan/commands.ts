import { type Command, Option } from "commander";
import { addExamples } from "../../operate/commands/help.ts";
import { jsonText, type Terminal, wholeNumberIn } from "../../operate/commands/terminal.ts";
import { benchFigures } from "./bench-figures.ts";
import { describePlan } from "./describe.ts";
import { type Demand, reckonPlan } from "./reckon.ts";

const peopleMax = 100_000_000;
const minutesMax = 1_440;

/** `usher plan`: what a sale needs, and costs, before anything is there. */
export function addPlanCommand(program: Command, { print }: Terminal): void {
  const people = wholeNumberIn(1, peopleMax);
  program
    .command("plan")
    .description("say how many gateways, which Redis and how much traffic a sale needs, and what it costs")
    .requiredOption("--arrivals <number>", "so many come", people)
    .requiredOption("--outflow <number>", "let in a minute", people)
    .option("--minutes <number>", `in which they come, 1 to ${minutesMax}`, wholeNumberIn(1, minutesMax), 1)
    .addOption(
      new Option("--page <way>", "pages.assets of the configuration").choices(["inline", "linked"]).default("inline"),
    )
    .option("--cdn", "behind a CDN that caches the status and the pages' files")
    .option("--json", "print it as JSON")
    .action(
      ({
        arrivals,
        minutes,
        outflow,
        page,
        cdn,
        json,
      }: {
        readonly arrivals: number;
        readonly minutes: number;
        readonly outflow: number;
        readonly page: Demand["page"];
        readonly cdn?: true;
        readonly json?: true;
      }) => {
        const demand = { arrivals, minutes, outflowPerMinute: outflow, page, hasCdn: cdn === true };
        const plan = reckonPlan(demand, benchFigures);
        print(json ? jsonText(plan) : describePlan(plan));
      },
    );
  addExamples(program, "usher plan --arrivals 200000 --minutes 10 --outflow 1200");
}
