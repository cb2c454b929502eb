/** What works in a room's ways in and may still surprise the operator. */
import type { RoomConfig } from "../resolve/config.ts";

export function findWayInWarnings({ waysIn }: RoomConfig, index: number): string[] {
  const { targets, verify } = waysIn;
  const isUsed = targets.length > 0 || verify.exempt.length > 0;
  const example = `${new URL(targets[0] ?? "https://shop.example.com").origin}/`;
  return isUsed && targets.every((target) => target.endsWith("/*"))
    ? [
        `rooms[${index}].targets: no exact address is listed: who asks for one that is not on the list (forward authentication), or ` +
          `follows a link without target, is answered with 400 (unknown_target); add where they shall go, such as ${example}`,
      ]
    : [];
}
