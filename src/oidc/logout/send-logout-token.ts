import { withDeadline } from "../../lib/deadline.ts";

/** `refused`: the site has judged the token and wants none of it (OpenID Connect Back-Channel Logout 1.0 §2.8), so it gets no other. */
export type LogoutAnswer =
  | { readonly result: "sent" }
  | { readonly result: "refused" | "failed"; readonly reason: string };

/** Milliseconds for the whole answer. */
const timeoutMs = 5_000;

/**
 * Posts a logout token to a site. A redirect is not followed: it is no answer, and may lead anywhere. What the answer says is
 * thrown away unread.
 *
 * @param stopping ends what is under way
 */
export async function sendLogoutToken(
  ask: typeof fetch,
  uri: string,
  token: string,
  stopping: AbortSignal,
): Promise<LogoutAnswer> {
  const headers = { accept: "*/*", "user-agent": "usher-logout" };
  const body = new URLSearchParams({ logout_token: token });
  try {
    const { status, ok } = await withDeadline(timeoutMs, stopping, async (signal) => {
      const response = await ask(uri, { method: "POST", headers, body, redirect: "manual", signal });
      await response.body?.cancel();
      return response;
    });
    if (ok) return { result: "sent" };
    return { result: status === 400 ? "refused" : "failed", reason: `answered ${status}` };
  } catch (error) {
    return { result: "failed", reason: describe(error) };
  }
}

/** Node's fetch says what went wrong in the cause. */
function describe(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  return cause.message || code || cause.name;
}
