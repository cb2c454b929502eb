import type { Middleware } from "koa";
import type { ClientDirectory } from "../../registry/index.ts";

/** RFC 7617, section 2: one token of base64. */
const basic = /^Basic ([A-Za-z0-9+/]+={0,2})$/i;

/**
 * A client encodes its id and secret as a form does before they become `Basic` (RFC 6749, section 2.3.1). Many do not, and half of all
 * secrets in base64 have a `+`, which oidc-provider would read as a space. So what is right as it stands counts, too: it is
 * encoded here. Each reading is compared with all secrets of the client, in constant time, whatever the other one comes to.
 */
export function acceptPlainCredentials(clients: Pick<ClientDirectory, "acceptsSecret">): Middleware {
  return (ctx, next) => {
    const { headers } = ctx.req;
    const [, encoded] = basic.exec(headers.authorization ?? "") ?? [];
    if (encoded !== undefined) {
      const text = Buffer.from(encoded, "base64").toString("utf8");
      const [id = "", secret] = splitAtColon(text);
      const isRight = secret !== undefined && clients.acceptsSecret(id, secret);
      // What can't be decoded has one reading, and is refused for being wrong.
      if (secret !== undefined && (isRight || !(isEncoded(id) && isEncoded(secret)))) {
        const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
        headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
      }
    }
    return next();
  };
}

function splitAtColon(text: string): [id: string, secret: string | undefined] {
  const at = text.indexOf(":");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
