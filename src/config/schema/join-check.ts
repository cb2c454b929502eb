/** What is asked of a visitor before a place is given: `rooms[].check`. */

import { challengeId } from "./challenge-provider.ts";
import { duration, mapping, number, oneOf, wholeNumber } from "./fields.ts";
import { withKind } from "./settings-codec.ts";
import { MINUTE_MS, SECOND_MS } from "./times.ts";

const DIFFICULTY_MAX = 1_000;

export const joinCheck = withKind(
  mapping({
    type: oneOf("type", ["proof_of_work", "challenge"]),
    challenge: challengeId().nullish(),
    /** What becomes of visitors while the provider of the challenge does not answer. */
    when_away: oneOf("word", ["hold", "let_in", "proof_of_work"]).default("hold"),
    /** `suspicious`: of those alone from whose address block more have joined than its share of `joins_per_address`. */
    when: oneOf("word", ["always", "suspicious"]).default("always"),
    share: number(0.001, 1).default(0.1),
    /** Multiples of the least work: where nobody has joined from the block, and at most. */
    difficulty: wholeNumber(1, DIFFICULTY_MAX).default(1),
    difficulty_max: wholeNumber(1, DIFFICULTY_MAX).default(16),
    /** Visitors whose browsers run no scripts join not at all, or after the wait. */
    without_scripts: oneOf("word", ["refuse", "wait"]).default("refuse"),
    wait: duration(5 * SECOND_MS, 10 * MINUTE_MS).prefault("30s"),
  }),
  { offExample: "{ type: proof_of_work }" },
);
