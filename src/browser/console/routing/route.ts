/** Addresses of screens. Each is known to the gateway, too, which has no others (src/http/console/routes.ts). */
export type Route = { readonly screen: "rooms" } | { readonly screen: "room"; readonly room: string };

export function routeOf(path: string): Route {
  const [, room] = /^\/console\/rooms\/([a-z0-9-]+)$/.exec(path) ?? [];
  return room === undefined ? { screen: "rooms" } : { screen: "room", room };
}

export function pathOf(route: Route): string {
  return route.screen === "room" ? `/console/rooms/${route.room}` : "/console";
}
