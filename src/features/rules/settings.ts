/** `crawlers` of a configuration file: how the DNS is asked about clients that say they are crawlers. */
import { isIP } from "node:net";
import { checked, duration, list, mapping, readSettings, settingsPart } from "../../config/index.ts";

const serverShape = /^(?:\[([0-9a-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i;

function serverFault(text: string): string | null {
  const [, ipv6, ipv4, port] = serverShape.exec(text) ?? [];
  const isAddress = isIP(text) === 6 || isIP(ipv6 ?? "") === 6 || isIP(ipv4 ?? "") === 4;
  if (isAddress && (port === undefined || (Number(port) > 0 && Number(port) < 65_536))) return null;
  return "expected the address of a DNS server, with its port if that is not 53, such as 10.0.0.2 or [2001:db8::1]:5353";
}

const schema = mapping({
  dns_servers: list(checked("the address of a DNS server", serverFault), 10, 1)
    .nullish()
    .meta({ description: "the DNS servers that are asked", fallback: "those of the machine" }),
  timeout: duration(100, 10_000).prefault("2s").describe("how long a lookup may take; nobody waits for it"),
})
  .prefault({})
  .describe("how Usher looks up [crawlers](rules.md#crawlers) that a rule names by `verified_crawler`");

export const crawlerSettings = settingsPart({
  key: "crawlers",
  schema,
  read: (written) => readSettings(schema, written),
});
