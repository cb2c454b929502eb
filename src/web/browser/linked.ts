/**
 * Stands in the head of a page whose style and script are files (`pages.assets: linked`), before both: where one of them does not
 * come, the page is asked for again, once, with all that it needs inside. A process of another version, or a cache in
 * front, may not have the file. Without it the page would not ask for anything by itself.
 */

/** Loads of one moment are spread over this. */
const spreadMs = 2_000;
/** As the server reads it. */
const wish = "usher.assets=inline";

addEventListener(
  "error",
  ({ target }) => {
    const { src, href } = target as { src?: string; href?: string };
    if (!/\/assets\/.*s$/.test(src || href || "") || document.cookie.includes(wish)) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in all browsers, and what follows waits for it
    document.cookie = `${wish};path=/;max-age=600;samesite=lax;secure`;
    // Where it is refused, the page would be asked for without end.
    if (document.cookie.includes(wish)) setTimeout(() => location.reload(), spreadMs * Math.random());
  },
  true,
);
