import fc from "fast-check";

/** Parts of paths and queries, as they stand in addresses. fast-check's own `webUrl` takes a second for its first one. */
const part = fc.string({
  unit: fc.constantFrom(..."azAZ09-._~!$&'()*+,;=:@", "%C3%9F", "%E2%82%AC", "%20", "%7E"),
  maxLength: 12,
});
const origin = fc.constantFrom("https://shop.example", "http://a.b-c.example:8443", "https://xn--bcher-kva.example");

/** Addresses of the web. */
export const webAddress = fc
  .record({ origin, path: fc.array(part, { maxLength: 8 }), query: fc.option(part) })
  .map(({ origin, path, query }) => [origin, ...path].join("/") + (query === null ? "" : `?${query}`));
