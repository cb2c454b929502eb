/** The window of `usher preview`: what is chosen is shown at once, the arrow keys turn the pages, and edits come by themselves. */

const choices = document.querySelector("form");
choices?.addEventListener("change", () => choices.requestSubmit());

const relations: { [key: string]: string } = { ArrowLeft: "prev", ArrowRight: "next" };
addEventListener("keydown", ({ key, target, altKey, ctrlKey, metaKey, shiftKey }) => {
  const relation = relations[key];
  const isTaken = target instanceof HTMLSelectElement || altKey || ctrlKey || metaKey || shiftKey;
  if (relation !== undefined && !isTaken) document.querySelector<HTMLAnchorElement>(`a[rel="${relation}"]`)?.click();
});

document.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });

new EventSource("/events").addEventListener("revision", ({ data }) => {
  if (data !== document.body.dataset.revision) location.reload();
});
