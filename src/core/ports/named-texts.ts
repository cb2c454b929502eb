/** Texts by name. In Redis a hash. */
export interface NamedTexts {
  readonly isCollection?: true;
  readonly byName: Map<string, string>;
}

export function createNamedTexts(): NamedTexts {
  return { byName: new Map() };
}

export function readText(texts: NamedTexts, name: string): string | null {
  return texts.byName.get(name) ?? null;
}

export function writeText(texts: NamedTexts, name: string, text: string): void {
  texts.byName.set(name, text);
}

export function forgetText(texts: NamedTexts, name: string): void {
  texts.byName.delete(name);
}
