/** Parts of a page's script that it can do without at first: each is a file of its own (src/browser/later), loaded on demand. */

/**
 * @param file its name as the page gives it, with the hash of what is in it
 * @param take called once, when it has come
 * @param fail called after each attempt that had no answer
 * @returns asks for it, if it has not come and is not on its way
 */
export function createLater<Part>(file: string, take: (part: Part) => void, fail: () => void = () => {}): () => void {
  let attempts = 0;
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    // Browsers remember a module that could not be loaded by its address, so that each attempt has one of its own.
    import(`/assets/${file}.js#${attempts++}`).then(take, () => {
      isAsked = false;
      fail();
    });
  };
}
