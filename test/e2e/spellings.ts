/** Every path that a gateway answers, in every spelling that one parser or another takes for it, asked by a stranger. */
import { Agent, request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import type Router from "@koa/router";
import { adminOptions, featureRoutes } from "../../scripts/lib/openapi/routes.ts";
import { adminRoutes } from "../../src/operate/admin-api/routes.ts";
import { type SignInRoutesOptions, signInRoutes } from "../../src/operate/admin-api/sign-in/routes.ts";
import { type DebugRoutesOptions, debugRoutes } from "../../src/operate/admin-api/visitors/debug-routes.ts";
import { type ConsoleRoutesOptions, consoleRoutes } from "../../src/operate/console-files/routes.ts";
import { opsRoutes } from "../../src/operate/ops/routes.ts";
import { endpoints } from "../../src/web/openid-connect.ts";
import type { VisitorParts } from "../../src/web/visitor/parts.ts";
import { issuerRoutes, publicRoutes } from "../../src/web/visitor/routes.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const someMethods = ["GET", "POST"];

/** Stands for all parts that handlers are made of: none of them is called. */
const nothing: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : nothing),
});

export interface RegisteredRoute {
  readonly method: string;
  readonly path: string;
}

function routesOf(router: { routes(): unknown }): RegisteredRoute[] {
  const { router: routed } = router.routes() as { router?: Router };
  return (routed?.stack ?? []).flatMap(({ path, methods }) =>
    methods.map((method) => ({ method, path: String(path) })),
  );
}

/** As they are registered, with `room` for every room. What is for operators alone, where their browsers sign in, and the rest. */
export function registeredRoutes(room: string): Record<"operators" | "signIn" | "others", RegisteredRoute[]> {
  const named = (routes: readonly RegisteredRoute[]) =>
    routes.map(({ method, path }) => ({ method, path: path.replace(":room", room).replaceAll(/:\w+/g, "x") }));
  const admin = adminRoutes(adminOptions);
  const ofOidc = [...endpoints].flatMap(([path, { methods }]) =>
    methods.split(", ").map((method) => ({ method, path })),
  );
  const others = ["/userInfo", "/robots.txt", `/rooms/${room}/verify`, "/healthz"].map((path) => ({
    method: "GET",
    path,
  }));
  return {
    signIn: named([
      ...routesOf(signInRoutes(nothing as SignInRoutesOptions)),
      ...routesOf(debugRoutes(nothing as DebugRoutesOptions)),
      ...routesOf(consoleRoutes(nothing as ConsoleRoutesOptions)),
    ]),
    operators: named([...routesOf(admin), ...routesOf(opsRoutes(nothing as never))]),
    others: named([
      ...routesOf(publicRoutes(nothing as VisitorParts)),
      ...routesOf(issuerRoutes(nothing as never)),
      ...featureRoutes().flatMap(routesOf),
      ...ofOidc,
      ...others,
    ]),
  };
}

/** Their paths, each once. */
export function registeredPaths(room: string): Record<"operators" | "signIn" | "others", string[]> {
  const { operators, signIn, others } = registeredRoutes(room);
  const pathsOf = (routes: readonly RegisteredRoute[]) => [...new Set(routes.map(({ path }) => path))];
  return { operators: pathsOf(operators), signIn: pathsOf(signIn), others: pathsOf(others) };
}

export const isSame = (kind: string) => kind === "as it is" || kind.startsWith("absolute");

/** Other ways to write a path. */
export function spellingsOf(path: string, host: string): [kind: string, target: string][] {
  const first = path.slice(1, 2);
  const all: [string, string][] = [
    ["as it is", path],
    ["absolute", `http://${host}${path}`],
    ["absolute, in capitals", `HTTP://${host.toUpperCase()}${path}`],
    ["in capitals", path.toUpperCase()],
    ["with a capital", `/${first.toUpperCase()}${path.slice(2)}`],
    ["with a capital at the end", path.slice(0, -1) + path.slice(-1).toUpperCase()],
    ["a slash behind", `${path}/`],
    ["two slashes before", `/${path}`],
    ["two slashes within", path.replace(/(.)\//, "$1//")],
    ["an encoded letter", `/%${first.charCodeAt(0).toString(16)}${path.slice(2)}`],
    ["an encoded capital", `/%${first.toUpperCase().charCodeAt(0).toString(16)}${path.slice(2)}`],
    ["an encoded slash before", `/%2f${path.slice(1)}`],
    ["an encoded slash within", path.replace(/(.)\//, "$1%2f")],
    ["a parameter before", `/;x=y${path}`],
    ["a parameter in the first segment", path.replace(/^(\/[^/]+)/, "$1;x=y")],
    ["a dot segment before", `/.${path}`],
    ["a way up before", `/x/..${path}`],
    ["an encoded way up before", `/x/%2e%2e${path}`],
    ["a way up with a parameter", `/x/..;${path}`],
    ["a dot segment within", path.replace(/^(\/[^/]+)/, "$1/.")],
    ["a way up behind", `${path}/x/..`],
    ["a backslash", `\\${path.slice(1)}`],
    ["a backslash before", `/\\${path.slice(1)}`],
    ["a backslash, and a fragment", `${path.replace(/(.)\//, "$1\\")}#x`],
    ["a backslash, and a no-break space", `${path.replace(/(.)\//, "$1\\")}\xa0`],
    ["a letter that folds to another", path.replace(/s/, "%C5%BF")],
    ["another server's", `http://evil.example${path}`],
  ];
  return all.filter(([kind, target]) => kind === "as it is" || target !== path);
}

export interface Answer {
  readonly kind: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
}

export interface Asking {
  /** PEM of the authority that the client trusts. */
  readonly ca?: string;
  /** Each spelling with each method, where otherwise other spellings than the path's own are asked with two. */
  readonly isThorough?: boolean;
  /** One path in so many is asked for in all these ways, the others as they are; default: each. */
  readonly oneIn?: number;
}

/** Asks for each of these by a connection from 127.0.0.2, where no operator is. */
export async function askForAll(
  origin: string,
  paths: readonly string[],
  { ca, isThorough = false, oneIn = 1 }: Asking = {},
): Promise<Answer[]> {
  const { hostname, host, port, protocol } = new URL(origin);
  const options = { keepAlive: true, maxSockets: 8, localAddress: "127.0.0.2" };
  const isSecure = protocol === "https:";
  const agent = isSecure ? new SecureAgent({ ...options, ca, servername: hostname }) : new Agent(options);
  const send = isSecure ? secureRequest : request;
  const ask = (method: string, path: string) =>
    new Promise<number>((resolve, reject) => {
      const outgoing = send({ host: "127.0.0.1", port, agent, method, path, headers: { host } }, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
      });
      outgoing.on("error", reject);
      outgoing.end();
    });
  const asked = paths.flatMap((path, index) =>
    spellingsOf(path, host)
      .slice(0, index % oneIn === 0 ? undefined : 1)
      .flatMap(([kind, target]) =>
        (isThorough || (isSame(kind) && index % oneIn === 0) ? methods : someMethods).map((method) => ({
          kind,
          method,
          target,
        })),
      ),
  );
  const answers = await Promise.all(
    asked.map(async (each) => ({ ...each, status: await ask(each.method, each.target) })),
  );
  agent.destroy();
  return answers;
}

/** What no stranger should have got: of operators' paths anything but refusals, of others anything by another spelling. */
export function leaks(answers: readonly Answer[], refusals: readonly number[]): string[] {
  return answers
    .filter(({ status }) => !refusals.includes(status))
    .map(({ kind, method, target, status }) => `${method} ${target} (${kind}): ${status}`);
}
