import { Counter } from "prom-client";
import type { Read, Sample } from "../../operate/ops/metric.ts";
import type { Admission, AwayAdmission } from "../../room/index.ts";

export type HomeCounts = ReturnType<typeof createHomeCounts>;

/** What this process has counted of all homes. Labels are of a few words, and rooms those of the configuration. */
export function createHomeCounts() {
  const [answers, joins, admissions] = [createTally(), createTally(), createTally()];
  return {
    answered: (call: string, status: number) => answers.add({ call, status: String(status) }),
    joined: (room: string) => joins.add({ room }),
    admitted: (room: string, { via }: Pick<Admission | AwayAdmission, "via">) => admissions.add({ room, via }),
    answers: answers.samples,
    joins: joins.samples,
    admissions: admissions.samples,
  };
}

function createTally() {
  const counts = new Map<string, Sample>();
  return {
    add(labels: Record<string, string>): void {
      const name = Object.values(labels).join(" ");
      counts.set(name, [labels, (counts.get(name)?.[1] ?? 0) + 1]);
    },
    samples: () => [...counts.values()],
  };
}

export function addHomeMetrics(
  read: Read,
  {
    counts,
    isHere,
  }: { readonly counts: Pick<HomeCounts, "answers" | "joins" | "admissions">; readonly isHere: boolean },
) {
  if (!isHere) return;
  read(
    Counter,
    "usher_aws_home_answers_total",
    "Answers of the interface of AWS's Virtual Waiting Room, by call and status",
    ["call", "status"],
    counts.answers,
  );
  read(
    Counter,
    "usher_aws_home_joins_total",
    "Places that clients of AWS's Virtual Waiting Room have taken at this process",
    ["room"],
    counts.joins,
  );
  read(
    Counter,
    "usher_aws_home_admissions_total",
    "New admissions of visitors who have come by the interface of AWS's Virtual Waiting Room",
    ["room", "via"],
    counts.admissions,
  );
}
