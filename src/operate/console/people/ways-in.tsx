import type { AdminAnswers } from "../../client/index.ts";
import { useConsole } from "../frame/console.ts";
import { texts } from "./texts.ts";

/** How people sign in. It is configured, and shown here alone. */
export function WaysIn({ signIn }: { readonly signIn: AdminAnswers["BrowserSession"]["sign_in"] }) {
  const { speech } = useConsole();
  return (
    <section class="detail" aria-labelledby="ways-title">
      <h2 id="ways-title">{speech.text(texts.signIn)}</h2>
      <ul>
        <li>{speech.text(signIn.provider ? texts.provider : texts.noProvider)}</li>
        {signIn.key && <li>{speech.text(texts.byKey)}</li>}
      </ul>
    </section>
  );
}
