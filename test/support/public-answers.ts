/** Asks a real gateway for what parts of its configuration say that it answers to everybody. */
import { publicAnswersOfParts } from "../../src/config/index.ts";
import type { Gateway } from "./gateway.ts";
import { loadConfig, parts } from "./load-config.ts";

/** By target: the status where it is another one, what is wrong otherwise, null for nothing. */
export async function askForPublicAnswers({ configFile, issuer }: Pick<Gateway, "configFile" | "issuer">) {
  const { config } = await loadConfig({ file: configFile, env: {} });
  const answers = config.issuers.flatMap((section) => publicAnswersOfParts(section, parts));
  return Object.fromEntries(
    await Promise.all(
      answers.map(async ({ target, headers = {}, status, findFault }) => {
        const url = `${issuer}${target}`;
        const answer = await fetch(url, { headers, redirect: "manual" });
        const found = { url, headers: answer.headers, text: await answer.text() };
        return [target, answer.status === status ? findFault(found) : answer.status] as const;
      }),
    ),
  );
}
