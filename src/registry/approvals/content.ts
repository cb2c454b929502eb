import { z } from "zod";
import { FOUR_EYES_STEPS } from "../../config/index.ts";
import type { DeepReadonly } from "../../lib/json.ts";
import { type ContentKind, readerOf, timeMs } from "../content.ts";

const pendingStep = z.strictObject({
  room: z.string().min(1).max(32),
  step: z.enum(FOUR_EYES_STEPS),
  /** Of the room when it was asked for: in another edition or phase the question is another one. */
  edition: z.int(),
  base_phase: z.string().max(16),
  /** The phase may come back, and is another one then. A step of 0.2.0 lacks it, and the identity, and is over. */
  phase_since_ms: timeMs.optional(),
  asked_by: z.strictObject({
    kind: z.enum(["key", "person"]),
    id: z.string().max(256),
    name: z.string().max(100).nullable(),
    /** Of a key, what no other key of its name has; of a person the id. */
    identity: z.string().max(256).optional(),
    /** Whose word it is: of a key whoever stands behind it. */
    author: z.string().max(256),
  }),
  asked_ms: timeMs,
  expires_ms: timeMs,
});

const content = z.strictObject({
  format: z.literal(1),
  /** By id. */
  pending: z.record(z.string(), pendingStep),
});

/** Steps that wait for the word of a second person. Shared as JSON. */
export type ApprovalsContent = DeepReadonly<z.infer<typeof content>>;
export type RegisteredStep = ApprovalsContent["pending"][string];

export const approvalsContent: ContentKind<ApprovalsContent> = {
  empty: { format: 1, pending: {} },
  read: readerOf(content),
};
