/** What is wrong with a language tag (BCP 47) as it is written; null when nothing is. */
export function languageTagFault(tag: string): string | null {
  const expected = "expected a language tag such as de or pt-BR";
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical === tag ? null : `${expected}; write ${canonical}`;
  } catch (error) {
    if (error instanceof RangeError) return expected;
    throw error;
  }
}
