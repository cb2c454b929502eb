import { withDeadline } from "../lib/deadline.ts";

/**
 * Whether a GET of the URL is answered with 200…299 in time. A redirect is none: it may lead to a page that says
 * that the site is down. What the answer says is thrown away unread.
 */
export async function isHealthy(
  ask: typeof fetch,
  url: string,
  timeoutMs: number,
  stopping: AbortSignal,
  userAgent: string,
): Promise<boolean> {
  // A connection of its own: one that is kept open says nothing of a site that takes no new ones.
  const headers = { accept: "*/*", connection: "close", "user-agent": userAgent };
  try {
    return await withDeadline(timeoutMs, stopping, async (signal) => {
      const response = await ask(url, { headers, redirect: "manual", signal });
      await response.body?.cancel();
      return response.ok;
    });
  } catch {
    // Refused, reset, timed out, no such name, no HTTP: whatever it is, the site did not say that it is well.
    return false;
  }
}
