/** Something made of values that are replaced as a whole: made now, and anew when one of them is another. */
export function derived<const Values extends readonly unknown[], T>(
  valuesNow: () => Values,
  make: (...values: Values) => T,
): () => T {
  let inputs = valuesNow();
  let result = make(...inputs);
  return () => {
    const values = valuesNow();
    if (values.some((value, index) => value !== inputs[index])) {
      result = make(...values);
      inputs = values;
    }
    return result;
  };
}
