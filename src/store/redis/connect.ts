import { SetupError } from "../../lib/errors.ts";
import type { RedisClient } from "./client.ts";
import type { ServerName } from "./server-name.ts";

/** Sentinels are asked again and again; a start does not wait for them. */
const giveUpMs = 6_000;

/**
 * Begins to connect, and answers what was in the way, null when nothing was; the client goes on trying by itself.
 *
 * @throws SetupError for what no trying mends: a wrong password, a certificate that is not trusted
 */
export async function connect(client: RedisClient, server: ServerName): Promise<string | null> {
  let reason: Error | undefined;
  // What `connect` throws itself says that the connection is closed, and never why.
  const note = (error: Error & { lastNodeError?: Error }) => {
    reason = error.lastNodeError ?? error;
  };
  client.on("error", note);
  let timer: NodeJS.Timeout | undefined;
  const abandoned = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(reason?.message ?? `no answer within ${giveUpMs} ms`), giveUpMs);
  });
  const connected = client.connect().then(
    () => null,
    (error: Error) => (reason ?? error).message,
  );
  try {
    const failure = await Promise.race([connected, abandoned]);
    const advice = failure === null || reason === undefined ? null : adviceFor(reason);
    if (advice !== null)
      throw new SetupError(`${server.name} ${advice.replaceAll("CLI", server.cli)}`, { cause: reason });
    return failure;
  } finally {
    clearTimeout(timer);
    client.off("error", note);
  }
}

/** What to do about what no trying mends; null for what may pass. */
function adviceFor(error: Error): string | null {
  const code = "code" in error ? String(error.code) : "";
  if (/\b(NOAUTH|WRONGPASS)\b/.test(error.message)) {
    return "does not accept the user and password in the store's URL (redis://USER:PASSWORD@HOST:PORT, special characters as %XX): try them with CLI PING";
  }
  if (/^(DEPTH_ZERO_SELF|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_|ERR_TLS_CERT)/.test(code)) {
    return `shows a certificate that is not to be trusted (${error.message}): start Usher with NODE_EXTRA_CA_CERTS=FILE, the certificate of the authority that signed it, and name the host in the store's URL as the certificate does`;
  }
  if (/cluster support disabled/.test(error.message)) {
    return "is no Cluster: write redis:// in place of redis-cluster:// in the store's URL";
  }
  return null;
}
