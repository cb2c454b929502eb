import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { texts } from "./texts.ts";

/** Who else has the room open. It comes and goes, so readers of the screen are not told by themselves. */
export function Company() {
  const { company, speech } = useConsole();
  if (company === null) return null;
  const { people, more } = company;
  const names = people.map(({ kind, name, role }) => {
    const who = kind === "key" ? speech.text(frameTexts.key, { id: name }) : name;
    return speech.text(frameTexts.signedInAs, { name: who, role: speech.text(frameTexts.roles[role]) });
  });
  if (names.length === 0 && more === 0) return null;
  if (more > 0) names.push(speech.text(texts.company.more, { n: more }));
  return (
    <p class="company">
      {speech.text(texts.company.title)}: <bdi>{names.join("; ")}</bdi>
    </p>
  );
}
