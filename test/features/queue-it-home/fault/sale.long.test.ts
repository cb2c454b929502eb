// Long: a sale of minutes, since a room with a limit admits nobody for one of them after a loss.
import { test } from "vitest";
import { playSale } from "../../../fault/home-sale.ts";
import { customerId, secretKey } from "../support/connector-site.ts";
import { newShopper, shop, target } from "./shoppers.ts";

test("a kill, FLUSHALL and a reset cost nobody a place or a visit, give no place twice, and break no limit", () =>
  playSale({
    settings: { targets: [target] },
    config: {
      homes: {
        queue_it: {
          customer_id: customerId,
          secret_key: secretKey,
          rooms: { "event-line": "line", "event-limited": "limited" },
        },
      },
    },
    newShopper,
    shop,
  }));
