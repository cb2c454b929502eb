import { setTimeout as delay } from "node:timers/promises";
import type { HttpClient } from "../support/http-client.ts";
import { newPerson, visit } from "./people.ts";

/** At the door of a room whose line has been served: five at a time ask to enter until stopped. Answers when each was admitted. */
export function crowdAtTheDoor(http: HttpClient, origins: readonly string[], room: string) {
  const admittedAt: number[] = [];
  let isOver = false;
  const workers = Array.from({ length: 5 }, async (_, index) => {
    while (!isOver) {
      const person = newPerson(room);
      for (let turn = 0; !isOver; turn++) {
        // A gateway that is down answers nothing; the next one is asked.
        const answer = await visit(http, origins[(index + turn) % 2] ?? "", person).catch(() => null);
        if (answer?.kind === "code") {
          admittedAt.push(Date.now());
          break;
        }
        await delay(answer?.kind === "parked" && answer.retryMs > 0 ? answer.retryMs : 200);
      }
    }
  });
  return {
    admittedAt,
    async stop() {
      isOver = true;
      await Promise.all(workers);
    },
  };
}
