import type { AdminAnswers } from "../../client/index.ts";
import { useConsole } from "../context.ts";

/** How people sign in. It is configured, and shown here alone. */
export function WaysIn({ signIn }: { readonly signIn: AdminAnswers["BrowserSession"]["sign_in"] }) {
  const { speech } = useConsole();
  return (
    <section class="detail" aria-labelledby="ways-title">
      <h2 id="ways-title">{speech.text("people.ways")}</h2>
      <ul>
        <li>{speech.text(signIn.provider ? "people.provider" : "people.no_provider")}</li>
        {signIn.key && <li>{speech.text("people.by_key")}</li>}
      </ul>
    </section>
  );
}
