interface Cookie {
  readonly name: string;
  readonly value: string;
  /** Without the dot. */
  readonly domain: string;
  readonly isHostOnly: boolean;
}

/** Beyond these a host sets no more: nothing that is read here grows without a bound. */
const cookiesMax = 50;
const lineLengthMax = 8_192;

/** A browser's cookies, as far as a login needs them: by host and domain, whatever the path. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** What is sent to a host; empty for nothing. */
  header(hostname: string): string {
    let header = "";
    for (const { name, value, domain, isHostOnly } of this.#cookies.values()) {
      const isSent = hostname === domain || (!isHostOnly && hostname.endsWith(`.${domain}`));
      if (isSent) header += `${header === "" ? "" : "; "}${name}=${value}`;
    }
    return header;
  }

  /** @param lines of `Set-Cookie` */
  keep(hostname: string, lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = "", value = "", attributes = ""] = /^\s*([^=;]+)=([^;]*)(.*)$/s.exec(line) ?? [];
      if (name === "" || line.length > lineLengthMax) continue;
      const named = /;\s*domain=\.?([^;\s]+)/i.exec(attributes)?.[1]?.toLowerCase();
      const isOfDomain = named !== undefined && (hostname === named || hostname.endsWith(`.${named}`));
      const domain = isOfDomain ? named : hostname;
      const key = `${domain} ${name}`;
      // Usher removes a cookie by an empty value, others by a time that has passed.
      const isRemoved = value === "" || /;\s*max-age=(?:0|-\d+)\s*(?:;|$)/i.test(attributes) || isPast(attributes);
      if (isRemoved) this.#cookies.delete(key);
      else if (this.#cookies.has(key) || this.#cookies.size < cookiesMax) {
        this.#cookies.set(key, { name, value, domain, isHostOnly: !isOfDomain });
      }
    }
  }

  /** The first value that fits. */
  find(fits: (name: string, value: string) => boolean): string | undefined {
    for (const { name, value } of this.#cookies.values()) if (fits(name, value)) return value;
    return undefined;
  }
}

/** Sites remove cookies by a date of 1970, which no clock is needed for. */
function isPast(attributes: string): boolean {
  const year = /;\s*expires=[^;]*?\b(\d{4})\b/i.exec(attributes)?.[1];
  return year !== undefined && Number(year) < 2_000;
}
