/**
 * Looks for what visitors and relying parties would meet, before they do: the name, its certificate, the proxy, the clients, a whole login.
 * It asks by the public address as they do, and no other host than those of the configuration; what it has to know of the inside it
 * asks of an `Insider`. `usher doctor` runs it beside a configuration file, and a gateway for one of its rooms.
 */
import type { Feature } from "../../operate/feature.ts";

export const doctor: Feature = {
  name: "doctor",
  about: "looks for what would go wrong, by the public address: `usher doctor`, and checks of a room in the console",
  page: "docs/doctor.md",
  load: async () => (await import("./gateway.ts")).doctorInGateway,
};
