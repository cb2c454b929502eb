/** Parts of a page's script that it can do without at first: each is a file of its own (src/web/browser/later), loaded on demand. */

/** More calls than a page makes. */
const never = 1e9;
/** Status answers between two attempts, at most: the pause grows by one with each failure. */
const waitMax = 9;

/**
 * @param files their names as the page gives them, with the hash of what is in them: the part itself, and the words that it says
 * @param take called when all have come; where it throws, they are as good as not there: something else may have come in their place
 * @param fail called after each attempt that came to nothing
 * @returns asks for them, if they have not come and are not on their way: to be called with each answer
 */
export function createLater<Part, Words = never>(
  files: readonly string[],
  take: (part: Part, words: { default: Words }) => void,
  fail: () => void = () => {},
): () => void {
  let failures = 0;
  /** Calls that go by until the next attempt: after each failure one more. A process of another version never has the file. */
  let wait = 0;
  return () => {
    if (wait-- > 0) return;
    wait = never;
    // Browsers remember a module that could not be loaded by its address, and may keep what came in its place: each attempt has one of its own.
    const attempt = failures ? `?${failures}` : "";
    Promise.all(files.map((file) => import(`/assets/${file}.js${attempt}`)))
      .then(([part, words]) => take(part, words))
      .catch(() => {
        wait = Math.min(failures++, waitMax);
        fail();
      });
  };
}
