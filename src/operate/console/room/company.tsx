import { useConsole } from "../context.ts";

/** Who else has the room open. It comes and goes, so readers of the screen are not told by themselves. */
export function Company() {
  const { company, speech } = useConsole();
  if (company === null) return null;
  const { people, more } = company;
  const names = people.map(({ kind, name, role }) => {
    const who = kind === "key" ? speech.text("signed_in.key", { id: name }) : name;
    return speech.text("signed_in_as", { name: who, role: speech.text(`role.${role}`) });
  });
  if (more > 0) names.push(speech.text("company.more", { n: more }));
  return (
    <p class="company">
      {names.length === 0 ? speech.text("company.none") : `${speech.text("company")}: `}
      <bdi>{names.join("; ")}</bdi>
    </p>
  );
}
