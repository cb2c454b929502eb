import { type Answer, ask } from "./finding.ts";

/** More than a login of Usher has. */
const redirectsMax = 10;

export type Browser = ReturnType<typeof createBrowser>;

/** As much of a browser as a login needs: it keeps the issuer's cookies, and follows redirects while they stay there. */
export function createBrowser(issuer: string) {
  const cookies = new Map<string, string>();

  /** What answers; in words why nothing does. */
  async function open(url: string, init: RequestInit = {}): Promise<Answer | string> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", ...(cookie !== "" && { cookie }) };
    const answer = await ask(url, { ...init, headers: { ...headers, ...init.headers } });
    if (typeof answer !== "string") for (const line of answer.headers.getSetCookie()) keep(line);
    return answer;
  }

  function keep(line: string): void {
    const [, name = "", value = ""] = /^\s*([^=;]+)=([^;]*)/.exec(line) ?? [];
    // Usher removes a cookie by an empty value.
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  }

  return {
    open,

    /** The answer at which the way ends, by a page or by a redirect to elsewhere. */
    async follow(url: string): Promise<Answer | string> {
      let at = url;
      for (let hops = 0; hops < redirectsMax; hops++) {
        const answer = await open(at);
        const location = typeof answer === "string" ? null : answer.headers.get("location");
        if (location === null || !URL.canParse(location, at)) return answer;
        const to = new URL(location, at);
        if (to.origin !== issuer) return answer;
        at = to.href;
      }
      return `more than ${redirectsMax} redirects`;
    },

    /** The room's ticket, which alone begins so; undefined where none was kept. */
    ticket: (): string | undefined => [...cookies.values()].find((value) => /^[wc]1\./.test(value)),
  };
}
