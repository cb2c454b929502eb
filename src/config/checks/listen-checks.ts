import { DEFAULT_PORT } from "../resolve/environment.ts";
import { type Path, valueAt } from "../resolve/raw-document.ts";
import { type Fault, faultAt } from "./faults.ts";

const everyAddress = new Set<unknown>([undefined, "0.0.0.0", "::"]);
const path: Path = ["admin", "listen", "port"];

/**
 * The operators' listener needs a port of its own, or at least an address.
 *
 * @param ofEnvironment the port that wins over the document's; null where there is none
 */
export function checkListeners(raw: unknown, ofEnvironment: number | null): Fault[] {
  const port = valueAt(raw, path);
  const publicPort = ofEnvironment ?? valueAt(raw, ["listen", "port"]) ?? DEFAULT_PORT;
  if (port !== publicPort || port === 0) return [];
  const host = valueAt(raw, ["admin", "listen", "host"]) ?? "127.0.0.1";
  const publicHost = valueAt(raw, ["listen", "host"]);
  const areApart = host !== publicHost && !everyAddress.has(host) && !everyAddress.has(publicHost);
  return areApart
    ? []
    : [faultAt(raw, path, `is taken: the public listener has it (${ofEnvironment ? "PORT" : "listen.port"})`)];
}
