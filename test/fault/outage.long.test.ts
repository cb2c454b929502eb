// Long: starts a process for each; outage.test.ts has the one that is killed.
import { describe, expect, test } from "vitest";
import { describeOutage, describeStartWithoutStore, startLine } from "./outage.ts";
import { newPerson, visit } from "./people.ts";

describe.concurrent("while the store or the gateway is away", () => {
  describeOutage({ takeAway: "freeze", asProcess: true });
  describeOutage({ takeAway: "kill", asProcess: true });
  describeStartWithoutStore(true);

  test("a gateway that is told to stop finishes what is in flight and ends with 0", async () => {
    const line = await startLine({ asProcess: true });
    try {
      const visits = Array.from({ length: 200 }, () => visit(line.http, line.origin, newPerson("line")));
      await visits[0];
      const exit = line.gateway.halt();
      const answers = await Promise.allSettled(visits);
      // What was accepted is answered; connections that came too late are refused, not cut.
      const answered = answers.filter(({ status }) => status === "fulfilled").length;
      expect(answered).toBeGreaterThan(0);
      expect(await exit).toMatchObject({ code: 0 });
      expect(line.gateway.output()).toContain("gateway.stopped");
    } finally {
      await line.stop();
    }
  });
});
