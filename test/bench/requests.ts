/** What the benchmarks ask for: one authorization request of the client `site`, as a browser sends it. */
export const redirectUri = "https://site.example.test/callback";
export const query = new URLSearchParams({
  client_id: "site",
  redirect_uri: redirectUri,
  response_type: "code",
  scope: "openid",
  state: "a-state-of-ordinary-length-0123456789",
  nonce: "a-nonce-of-ordinary-length-0123456789",
});

export const page = { accept: "text/html" };
export const gzip = { ...page, "accept-encoding": "gzip, br" };
