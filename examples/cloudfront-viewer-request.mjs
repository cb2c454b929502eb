/**
 * Lambda@Edge at the viewer request of a CloudFront distribution: a site that visitors reach by links to a room, whatever its origin is.
 * A CloudFront Function cannot do it: it may not fetch the keys.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-event-structure.html
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-generating-http-responses-in-requests.html
 *
 * Lambda@Edge has no environment, so the values are put in when the function is bundled:
 * esbuild cloudfront-viewer-request.mjs --bundle --platform=node --format=esm --outfile=index.mjs
 *   '--define:process.env.ISSUER="https://queue.example.com"' '--define:process.env.ROOM="tickets"'
 *   '--define:process.env.SITE="https://shop.example.com"' "--define:process.env.SECRET=\"$(openssl rand -hex 32)\""
 *
 * The function's instances do not know of one another which tokens were taken: a link that is shared may let in one browser at each, for
 * a minute. The origin must take requests of CloudFront alone, or anybody passes by it.
 */
import { createAdmissionGate } from "usher/verify";

const gate = createAdmissionGate({
  issuer: process.env.ISSUER,
  room: process.env.ROOM,
  site: process.env.SITE,
  secret: process.env.SECRET,
  exempt: (path) => path.startsWith("/assets/") || path.startsWith("/webhooks/"),
});

export async function handler(event) {
  const { request } = event.Records[0].cf;
  const { headers, method, querystring, uri } = request;
  const url = querystring === "" ? uri : `${uri}?${querystring}`;
  const outcome = await gate({
    method,
    url,
    header: (name) => headers[name]?.map(({ value }) => value).join(name === "cookie" ? "; " : ", "),
  });
  if (!outcome.passes) return answer(outcome.status, outcome.headers, outcome.body);
  // Only an answer can set a cookie here: a script's request is sent to the same address without the token, with its method and body.
  if (outcome.setCookie !== undefined) {
    const kept = querystring.split("&").filter((part) => !/^usher_token(=|$)/.test(part));
    const path = `/${uri.replace(/^\/+/, "")}${kept.length === 0 ? "" : `?${kept.join("&")}`}`;
    return answer(307, { Location: path, "Set-Cookie": outcome.setCookie, "Cache-Control": "no-store" }, "");
  }
  // What the visitor sent under these names is theirs.
  for (const name of Object.keys(headers)) if (name.startsWith("x-usher-")) delete headers[name];
  const { sub = "", queue_position } = outcome.admission ?? {};
  headers["x-usher-sub"] = [{ key: "X-Usher-Sub", value: sub }];
  headers["x-usher-position"] = [{ key: "X-Usher-Position", value: String(queue_position ?? "") }];
  return request;
}

const descriptions = {
  303: "See Other",
  307: "Temporary Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  414: "URI Too Long",
  503: "Service Unavailable",
};

function answer(status, headers, body) {
  return {
    status: String(status),
    statusDescription: descriptions[status],
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), [{ key, value }]])),
    body,
  };
}
