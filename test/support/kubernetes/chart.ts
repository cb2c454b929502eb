/** The chart as Helm renders it: its manifests as data, and the configuration that is in them. */
import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";
// @ts-expect-error: a script without types
import { CHART, getHelm, renderChart } from "../../../scripts/lib/linters/helm.mjs";
// @ts-expect-error: a script without types
import { capture, Unavailable } from "../../../scripts/lib/linters/tools.mjs";

interface Outcome {
  readonly code: number;
  readonly output: string;
}

export interface Labelled {
  readonly matchLabels: Record<string, string>;
}

export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: a manifest is whatever Kubernetes has kinds for; kubernetes-validate checks it.
  readonly spec: any;
  readonly data?: Record<string, string>;
}

/** Why Helm cannot be had here; undefined where it can. */
export async function whyNoHelm(): Promise<string | undefined> {
  try {
    await getHelm();
    return undefined;
  } catch (error) {
    if (error instanceof Unavailable) return (error as Error).message;
    throw error;
  }
}

/** What Helm says to an example of the chart (`ci/NAME-values.yaml`), with `--set` and others. */
export async function helmTemplate(example: string, ...args: string[]): Promise<Outcome> {
  return renderChart(await getHelm(), join(CHART, "ci", `${example}-values.yaml`), args);
}

/** The manifests of an example. */
export async function manifestsOf(example: string, ...args: string[]): Promise<Manifest[]> {
  const { code, output } = await helmTemplate(example, ...args);
  if (code !== 0) throw new Error(output);
  return readManifests(output);
}

/** The manifests that Helm has printed. */
export function readManifests(output: string): Manifest[] {
  return parseAllDocuments(output)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** The one of its kind and name. */
export function only(manifests: readonly Manifest[], kind: string, name = "usher"): Manifest {
  const found = manifests.filter((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} of ${kind} ${name}`);
  return found[0];
}

/** usher.yaml, as text. */
export function configurationOf(manifests: readonly Manifest[]): string {
  return only(manifests, "ConfigMap").data?.["usher.yaml"] ?? "";
}

/** NOTES.txt as it is printed after an installation. `helm template` leaves it out, so it is made a manifest in a copy of the chart. */
export async function notesOf(example: string, folder: string): Promise<string> {
  const copy = join(folder, "usher");
  cpSync(CHART, copy, { recursive: true });
  const notes = join(copy, "templates", "notes.yaml");
  renameSync(join(copy, "templates", "NOTES.txt"), notes);
  const text = `{{- define "notes" -}}\n${readFileSync(notes, "utf8")}{{- end }}\nnotes: {{ include "notes" . | toJson }}\n`;
  writeFileSync(notes, text);
  const values = join(copy, "ci", `${example}-values.yaml`);
  const args = [
    "template",
    "usher",
    copy,
    "--namespace",
    "usher",
    "--values",
    values,
    "--show-only",
    "templates/notes.yaml",
  ];
  const { code, output } = (await capture(await getHelm(), args)) as Outcome;
  if (code !== 0) throw new Error(output);
  return (parse(output) as { notes: string }).notes;
}

export const readDocument = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), "utf8");
