/** Push services: those that subscriptions may name, so that nobody makes Usher call another address. */
import { receiverFault } from "../../lib/receiver-address.ts";

const endpointMax = 1_024;

/** Entries with a port are of this machine, and need no https: for tests. */
export function localServices(services: readonly string[]): string[] {
  return services.filter((service) => /^(localhost|127\.0\.0\.1|\[::1\]):\d+$/.test(service));
}

/** Whether the endpoint of a subscription is one that Usher may send to. */
export function isEndpoint(text: string, services: readonly string[]): boolean {
  if (text.length > endpointMax || !URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.href !== text || receiverFault(text, localServices(services)) !== null) return false;
  return services.some(
    (service) => service === url.host || (service.startsWith("*.") && url.host.endsWith(service.slice(1))),
  );
}
