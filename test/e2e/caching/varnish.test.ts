import { startVarnish } from "../../support/varnish.ts";
import { blocksOf, describeCache } from "./suite.ts";

describeCache("Varnish", (port) => startVarnish(blocksOf("vcl", port)[0] ?? ""));
