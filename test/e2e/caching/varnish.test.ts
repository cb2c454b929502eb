import { blocksOf } from "../../support/cache-guide.ts";
import { startVarnish } from "../../support/varnish.ts";
import { describeCache } from "./suite.ts";

describeCache("Varnish", (port) => startVarnish(blocksOf("vcl", port)[0] ?? ""));
