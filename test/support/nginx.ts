/** nginx as a load balancer in front of gateways, with TLS ended by it or over plain http. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accepts, freePort } from "./ports.ts";
import { findProgram, type Running, startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";
import { makeTls, type Tls } from "./tls.ts";

export interface NginxOptions {
  /** Ports of the gateways on 127.0.0.1, taken in turns. */
  upstreamPorts: readonly number[];
  /** The name under which visitors come; names ending in `.test` lead here (see http-client.ts). */
  serverName?: string;
  /** End TLS with a certificate of a private authority. */
  tls?: boolean;
  /** Offer HTTP/2 over it. */
  http2?: boolean;
  port?: number;
  /** What the server does; default: it passes everything on to the gateways. */
  locations?: string;
  /** Directives outside of it; `FOLDER` stands for one that it may write to. */
  http?: string;
}

export interface Nginx {
  readonly origin: string;
  readonly port: number;
  /** Present with TLS. */
  readonly tls: Tls | undefined;
  readonly process: Running;
  stop(): Promise<void>;
}

export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const program = findProgram("nginx");
  if (program === undefined) throw new Error("this test needs the program nginx");
  const { serverName = "localhost" } = options;
  const folder = await makeTempDir("nginx", true);
  const port = options.port ?? (await freePort());
  const tls = options.tls ? await makeTls(folder.path, [serverName, "localhost"]) : undefined;
  const configFile = join(folder.path, "nginx.conf");
  const locations = options.locations ?? passEverythingOn;
  const http = (options.http ?? "").replaceAll("FOLDER", folder.path);
  await writeFile(
    configFile,
    configuration(folder.path, port, serverName, options.upstreamPorts, tls, locations, http, options.http2 === true),
  );
  const process = startProcess({
    name: "nginx",
    command: program,
    args: ["-p", folder.path, "-e", "stderr", "-c", configFile],
  });
  await process.waitUntil(`nginx on port ${port}`, () => accepts(port));
  return {
    origin: `${tls ? "https" : "http"}://${serverName}:${port}`,
    port,
    tls,
    process,
    async stop() {
      await process.stop();
      await folder.remove();
    },
  };
}

const passEverythingOn = `
    location / {
      proxy_pass http://gateways;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_buffer_size 32k;
      proxy_buffers 8 32k;
    }`;

function configuration(
  folder: string,
  port: number,
  serverName: string,
  upstreamPorts: readonly number[],
  tls: Tls | undefined,
  locations: string,
  http: string,
  hasHttp2: boolean,
): string {
  const servers = upstreamPorts.map((upstream) => `    server 127.0.0.1:${upstream} max_fails=0;`).join("\n");
  const tempPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `  ${name}_temp_path ${folder}/${name};`)
    .join("\n");
  const certificate = tls ? `ssl_certificate ${tls.certificateFile};\n    ssl_certificate_key ${tls.keyFile};` : "";
  const user = process.getuid?.() === 0 ? "user nobody nogroup;" : "";
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
${user}
events { worker_connections 1024; }
http {
  access_log off;
${tempPaths}
  large_client_header_buffers 8 16k;
  ${http}
  ${servers === "" ? "" : `upstream gateways {\n${servers}\n    keepalive 16;\n  }`}
  server {
    listen 127.0.0.1:${port}${tls ? " ssl" : ""}${hasHttp2 ? " http2" : ""};
    server_name ${serverName};
    ${certificate}
    ${locations}
  }
}
`;
}
