/** A sentence of the documentation: English, with code between backticks. */
export function Words({ text }: { readonly text: string }) {
  return (
    <span lang="en" dir="ltr">
      {text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </span>
  );
}
