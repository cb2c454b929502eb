/**
 * What one more poll of a page weighs for who pays by the byte, straight from a gateway and through the caches of docs/caching.md behind TLS:
 * on a connection that was kept, and on one that is opened anew with what the last one has left (RFC 8446, section 2.2).
 *
 *     npx tsx test/bench/wire.ts
 */
import { blocksOf } from "../support/cache-guide.ts";
import { startGateway } from "../support/gateway.ts";
import { startNginx } from "../support/nginx.ts";
import { startVarnish } from "../support/varnish.ts";
import { openHttp1, openHttp2, type Server, weighAnswer, weighReopened } from "./over-tls.ts";

const room = "line";
/** As a browser writes it. */
const headers = { "accept-encoding": "gzip, deflate, br, zstd" };

async function weigh(server: Server) {
  const { ca } = server;
  const figures: Record<string, number> = {};
  for (const answer of ["status", "pace"]) {
    const path = `/rooms/${room}/${answer}`;
    const wires = { "HTTP/1.1": openHttp1(server), ...(ca && { "HTTP/2": openHttp2({ ...server, ca }) }) };
    for (const [protocol, wire] of Object.entries(wires)) {
      figures[`${answer} ${protocol}`] = await weighAnswer(wire, path, headers, 10);
      wire.close();
    }
    if (ca !== undefined) figures[`${answer} reopened`] = await weighReopened(server, path, headers);
  }
  return figures;
}

const gateway = await startGateway({
  asProcess: true,
  config: {
    store: { type: "memory" },
    rooms: [{ id: room, title: "Autumn tour tickets", inlet: { type: "periodic", outflow_per_minute: 600 } }],
    clients: [],
  },
});
const [http = "", locations = ""] = blocksOf("nginx", gateway.port);
const varnish = await startVarnish(blocksOf("vcl", gateway.port)[0] ?? "");
const byTls = { tls: true, http2: true };
const fronts = {
  nginx: await startNginx({ ...byTls, upstreamPorts: [gateway.port] }),
  "nginx that caches": await startNginx({
    ...byTls,
    upstreamPorts: [],
    locations,
    http: http.replaceAll("/var/cache/nginx", "FOLDER"),
  }),
  "Varnish behind nginx": await startNginx({ ...byTls, upstreamPorts: [Number(new URL(varnish.origin).port)] }),
};
try {
  const { host } = new URL(gateway.origin);
  const figures: Record<string, object> = { straight: await weigh({ port: gateway.port, host }) };
  for (const [name, { port, tls }] of Object.entries(fronts)) figures[name] = await weigh({ port, host, ca: tls?.ca });
  console.table(figures);
} finally {
  for (const front of Object.values(fronts)) await front.stop();
  await varnish.stop();
  await gateway.stop();
}
