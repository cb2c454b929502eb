/** The Terraform modules and CloudFormation templates of deploy/, as data. */
import { readdirSync, readFileSync } from "node:fs";
import { parse, type Scalar, type Tags, type YAMLSeq } from "yaml";
import { terraformArguments, terraformList, terraformResources } from "./guide.ts";

export const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** A module, all of its files as one text. */
export function terraform(name: string) {
  const dir = `deploy/terraform/aws/${name}`;
  const files = readdirSync(new URL(`../../${dir}`, import.meta.url)).filter((file) => file.endsWith(".tf"));
  const text = files.map((file) => read(`${dir}/${file}`)).join("\n");
  const resources = (type: string) => terraformResources(text, type);
  function resource(type: string, id: string): string {
    const found = resources(type).get(id);
    if (found === undefined) throw new Error(`${name} has no ${type}.${id}`);
    return found;
  }
  const [commands = ""] = /command = \[join\(" && ", \[\n[\s\S]*?\n {4}\]\)\]/.exec(text) ?? [];
  return {
    text,
    resources,
    arguments: (type: string, id: string) => terraformArguments(resource(type, id), type),
    block: (type: string, id: string, block: string) => terraformArguments(resource(type, id), block),
    list: (type: string, id: string, list: string) => terraformList(resource(type, id), list),
    number: (argument: string, type: string, id: string) =>
      Number(terraformArguments(resource(type, id), type)[argument]),
    /** The shell's command of the container. */
    command: [...commands.matchAll(/^ {6}(".*"),$/gm)].map(([, line = ""]) => JSON.parse(line) as string).join(" && "),
    /** The names of the container's environment and secrets. */
    environment: [...text.matchAll(/^ {6}\{ name = "(\w+)", value(?:From)? = /gm)].map(([, each]) => each).sort(),
  };
}

/** A template with references by name, and `!If` as `conditions` say. What a resource has are its properties. */
export function template(name: string, conditions: Record<string, boolean> = {}) {
  const choose = ({ items: [condition, whenTrue, whenFalse] }: YAMLSeq) =>
    conditions[String((condition as Scalar).value)] ? whenTrue : whenFalse;
  const customTags = [
    ...["Ref", "Sub", "GetAtt"].map((tag) => ({ tag: `!${tag}`, resolve: (text: string) => text })),
    ...["Equals", "Not"].map((tag) => ({ tag: `!${tag}`, collection: "seq", resolve: (list: YAMLSeq) => list })),
    { tag: "!If", collection: "seq", resolve: choose },
  ] as Tags;
  const { Parameters, Resources } = parse(read(`deploy/cloudformation/${name}.yaml`), { customTags });
  return {
    // biome-ignore lint/suspicious/noExplicitAny: its type is AWS's
    resource: (id: string): any => Resources[id].Properties,
    // biome-ignore lint/suspicious/noExplicitAny: their type is AWS's
    ofType: (type: string): any[] =>
      (Object.values(Resources) as { Type: string; Properties: unknown }[])
        .filter(({ Type }) => Type === type)
        .map(({ Properties }) => Properties),
    parameter: (id: string) => Parameters[id] as { Default: string },
  };
}
