/** What gateways know by now, asked of each: the next step of a test is true when they have heard of the one before. */
import { expect, vi } from "vitest";
import { createAdmin } from "../support/admin.ts";
import type { HttpClient } from "../support/http-client.ts";

// Tests that run side by side share `expect`, whose `poll` belongs to one of them.
const patience = { timeout: 120_000, interval: 200 };

/** Waits for what becomes true by itself. */
export const until = (isSo: () => Promise<void>) => vi.waitFor(isSo, patience);

/** Waits until the public status of the room says this at each of them. */
export async function haveHeard(http: HttpClient, origins: readonly string[], room: string, what: object) {
  for (const origin of origins) {
    await until(async () => expect((await http.get(`${origin}/rooms/${room}/status`)).json()).toMatchObject(what));
  }
}

/**
 * Waits until each of them has had an answer of the store about the room. While it is away, or is recovering what it lost, there is
 * none; whoever asks first is the one who notices.
 */
export async function areAnswered(http: HttpClient, origins: readonly string[], room: string) {
  for (const origin of origins) {
    const change = () => createAdmin(http, origin).request("PATCH", `/rooms/${room}`, {});
    await until(async () => expect((await change()).status).toBe(200));
  }
}
