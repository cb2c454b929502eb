import { UsherError } from "../../lib/errors.ts";
import type { WaitingRoom } from "../../room/index.ts";

/** For apps, which can sign nobody in. */
export function signInRequired(issuer: string, { id }: WaitingRoom): UsherError {
  const message = "visitors of this room sign in first: open the address sign_in in a browser";
  return new UsherError("sign_in_required", message, {
    members: { sign_in: `${issuer}/rooms/${id}/identity/start` },
  });
}
