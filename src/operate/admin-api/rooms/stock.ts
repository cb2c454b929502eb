/** What the shop says of what it has left to sell. */
import { z } from "zod";
import { wholeNumber } from "../../../config/index.ts";
import type { WaitingRoom } from "../../../room/index.ts";
import type { AdminRoute, RoutesAbout } from "../admin-router.ts";
import { carryOut, type StepRules } from "../audit/carry-out.ts";
import { exactTime, object } from "../bodies.ts";
import { stepAnswer } from "./step-bodies.ts";

const remainingMax = 1_000_000_000;

const stockBody = object({
  remaining: wholeNumber(0, remainingMax).nullable(),
  as_of: exactTime.optional(),
});
const stockAnswer = stepAnswer.omit({ exited: true }).extend({ remaining: z.int().nullable() });

export function stockRoutes(route: RoutesAbout<WaitingRoom>, rules: StepRules): AdminRoute[] {
  return [
    route(
      "PUT",
      "/stock",
      {
        summary: "Says how many are left to sell: at 0 the room is sold out; null takes the number away.",
        tag: "Line",
        role: "box_office",
        body: stockBody,
        isRepeatable: true,
        answers: stockAnswer,
      },
      async (request) => {
        const { remaining, as_of: asOfMs = null } = request.body;
        const { remaining: left = null, ...step } = await carryOut(
          request,
          { step: "stock", remaining, asOfMs },
          rules,
        );
        const { notes } = request;
        // A shop says it every few seconds: what counts is when it begins, and when everything is sold.
        notes.isRoutine = notes.changes.every(
          ({ member, from, to }) => member === "/stock" && from !== null && to !== null,
        );
        return { ...step, remaining: left };
      },
    ),
  ];
}
