import type { ChallengeConfig } from "../../config/index.ts";
import { AddressBuckets, type BucketRate, usualRate } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import type { RoomEvents, RoomSettings, WaitingRoom } from "../../room/index.ts";
import { type ProviderWidget, widgetOf } from "./providers.ts";
import { createSiteVerify, type SiteVerify } from "./site-verify.ts";

type CheckSettings = NonNullable<RoomSettings["check"]>;
type Outcome = RoomEvents["join.checked"][0]["outcome"];

export interface Provider {
  readonly id: string;
  readonly widget: ProviderWidget;
  readonly verifier: SiteVerify;
}

/** The result of an answer. `proof`: a proof of work replaces the challenge. `hold`: it cannot be verified now. */
export type Answered =
  | { readonly outcome: Extract<Outcome, "passed" | "let_in">; readonly id: string | null }
  | Extract<Outcome, "refused" | "wrong_host">
  | "proof"
  | "hold";

/** Address blocks whose answers are counted. */
const blocksMax = 50_000;

/** The providers of challenges, and whether each can be reached now. */
export function createChallenges(configs: readonly ChallengeConfig[], host: string, clock: Clock) {
  const providers = new Map(
    configs.map((config): [string, Provider] => [
      config.id,
      { id: config.id, widget: widgetOf(config), verifier: createSiteVerify(config, host, clock) },
    ]),
  );
  const answers = new AddressBuckets(clock, blocksMax);

  return {
    /** What a room requires now. If its provider is not configured here, a proof of work. */
    challengeOf({ type, challenge, whenAway }: CheckSettings): Provider | "proof" | "nothing" {
      const provider = type === "challenge" ? providers.get(challenge ?? "") : undefined;
      if (provider === undefined) return "proof";
      if (!provider.verifier.isAway || whenAway === "hold") return provider;
      return whenAway === "proof_of_work" ? "proof" : "nothing";
    },

    /**
     * Verifies a visitor's answer. From an address no more are sent on than may join from there, so that nobody keeps the
     * provider busy.
     */
    async answer(
      room: Pick<WaitingRoom, "name" | "emit">,
      { id, verifier }: Provider,
      response: string,
      address: string | null,
      { whenAway }: CheckSettings,
      rate: BucketRate | null,
    ): Promise<Answered> {
      if (address !== null && answers.of(room.name, rate ?? usualRate).take(address) > 0) {
        room.emit("join.checked", { outcome: "provider_busy" });
        return "hold";
      }
      // The name of an IPv6 block is not an address.
      const remote = address?.includes("/") ? null : address;
      const report = (failure: { reason: string; count: number }) =>
        room.emit("check.provider_failed", { challenge: id, ...failure });
      const verified = await verifier.verify(response, remote, report);
      switch (verified.verdict) {
        case "passed":
          return { outcome: "passed", id: verified.id };
        case "refused":
        case "wrong_host":
          return verified.verdict;
        case "busy":
          room.emit("join.checked", { outcome: "provider_busy" });
          return "hold";
        case "away":
          room.emit("join.checked", { outcome: "provider_away" });
          if (whenAway === "let_in") return { outcome: "let_in", id: null };
          return whenAway === "proof_of_work" ? "proof" : "hold";
      }
    },
  };
}
