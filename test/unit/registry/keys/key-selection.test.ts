import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyContent, keyPurposes, keyStates, type RegisteredKey } from "../../../../src/registry/index.ts";
import { keysOf } from "../../../../src/registry/keys/held-keys.ts";
import { slotOf } from "../../../../src/registry/keys/key-lifecycle.ts";
import { selectKeys } from "../../../../src/registry/keys/key-selection.ts";
import { ecPem, keyText, materialFrom, rsaPem } from "../key-world.ts";

const held = keysOf(materialFrom({ tickets: [keyText("a"), keyText("b")], signing: [rsaPem, ecPem()] }));
const states = fc.array(fc.option(fc.constantFrom(...keyStates)), { minLength: held.length, maxLength: held.length });

test("whatever a registry says, there is a key to sign with for each purpose, and one for RS256", () => {
  fc.assert(
    fc.property(states, (each) => {
      const keys = held.flatMap(({ kid, purpose, alg }, index): RegisteredKey[] => {
        const state = each[index];
        return state == null ? [] : [{ kid, purpose, alg, source: "configuration", state, since: {}, wrapped: null }];
      });
      const selected = selectKeys({ ...emptyContent, keys }, held);
      const slots = selected.map(slotOf);
      expect(slots[0]).toBe("signing RS256");
      expect(new Set(selected.map(({ purpose }) => purpose))).toEqual(new Set(keyPurposes));
      expect(new Set(selected.map(({ kid }) => kid)).size).toBe(selected.length);
    }),
  );
});
