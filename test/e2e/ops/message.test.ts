/** The operator's words, from the admin API to the status and every page of the room. */
import { expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { memoryStore, useWorld } from "../world.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "told", settings: { message: { text: "Doors at eight", severity: "warning" } } },
    { id: "line" },
    { id: "german", settings: { language: "de", message: { text: { en: "Soon", de: "Bald" } } } },
    { id: "small", settings: { max_waiting: 0 } },
  ],
}));
const inTwo = { text: { de: "Ausverkauft", en: "Sold <b>out</b>\nThank you" }, severity: "sold_out" };
const section = (severity: string, text: string) =>
  new RegExp(`data-severity="${severity}"(?: aria-\\S+)>.*id="message-text"[^>]*>${text}<`, "s");

async function statusOf(room: string) {
  return (await world().http.get(`${world().issuer}/rooms/${room}/status`)).json() as object;
}

async function pageOf(room: string): Promise<string> {
  const { url } = await world().relyingParty(room).startLogin();
  return (await world().visitor().navigate(url)).body;
}

test("what the file says is told from the start", async () => {
  expect(await statusOf("told")).toMatchObject({
    message: "Doors at eight",
    message_severity: "warning",
    messages: null,
  });
  expect(await pageOf("told")).toMatch(section("warning", "Doors at eight"));
});

test("a live message reaches the status, the waiting page and every notice of the room, and null gives it back", async () => {
  const { admin } = world();
  const none = { message: null, message_severity: null, messages: null };
  expect(await statusOf("line")).toMatchObject(none);
  const changed = await admin.request("PATCH", "/rooms/line", { message: inTwo });
  expect(changed.json()).toMatchObject({
    settings: { message: inTwo },
    settings_file: { message: null },
    settings_live: { message: inTwo },
  });
  expect(await statusOf("line")).toMatchObject({
    message: "Ausverkauft",
    message_severity: "sold_out",
    messages: inTwo.text,
  });
  const shown = section("sold_out", "Sold &lt;b&gt;out&lt;/b&gt;\nThank you");
  expect(await pageOf("line")).toMatch(shown);
  await admin.step("line", "pause");
  expect(await pageOf("line")).toMatch(shown);
  await admin.step("line", "resume");
  for (const [step, notice] of [
    ["end", "ended"],
    ["idle", "not_open"],
  ] as const) {
    await admin.step("line", step);
    const page = await pageOf("line");
    expect(page).toContain(`data-notice="${notice}"`);
    expect(page).toMatch(shown);
  }
  await admin.step("line", "open");
  const leave = await world().http.get(`${world().issuer}/rooms/line/leave`);
  expect(leave.body).toMatch(shown);
  await admin.request("PATCH", "/rooms/line", { message: null });
  expect(await statusOf("line")).toMatchObject(none);
});

test("a full line tells it too", async () => {
  await world().admin.request("PATCH", "/rooms/small", { message: { text: "That was it", severity: "sold_out" } });
  const page = await pageOf("small");
  expect(page).toContain('data-notice="room_full"');
  expect(page).toMatch(section("sold_out", "That was it"));
});

test("each visitor reads the message in the language of the page", async () => {
  await world().admin.request("PATCH", "/rooms/line", { message: inTwo });
  const { url } = await world().relyingParty("line").startLogin();
  const english = { accept: "text/html", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" };
  const page = await world().http.get(url.href, { ...english, "accept-language": "en-GB,en;q=0.8,de;q=0.5" });
  expect(page.body).toMatch(section("sold_out", "Sold &lt;b&gt;out&lt;/b&gt;\nThank you"));
  await world().admin.request("PATCH", "/rooms/line", { message: null });
});

test("a room's own language is for programs, and for those who read none of the others", async () => {
  expect(await statusOf("german")).toMatchObject({ message: "Bald", messages: { de: "Bald", en: "Soon" } });
  expect(await pageOf("german")).toMatch(section("information", "Bald"));
});

test("thirty languages fit into one request, and a faulty text is refused by its place", async () => {
  const { admin } = world();
  const tags = Array.from(
    { length: 30 },
    (_, index) => `q${String.fromCharCode(97 + (index % 26))}${index < 26 ? "a" : "b"}`,
  );
  const text = Object.fromEntries(tags.map((tag) => [tag, "\u00e9".repeat(500)]));
  // Some programs escape whatever is not ASCII, which makes six bytes of each letter.
  const body = JSON.stringify({ message: { text } }).replaceAll("\u00e9", "\\u00e9");
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" };
  const taken = await world().http.request(`${world().issuer}/admin/rooms/line`, { method: "PATCH", headers, body });
  expect(taken.status).toBe(200);
  expect(await statusOf("line")).toMatchObject({ messages: text });
  const refused = await admin.request("PATCH", "/rooms/line", {
    message: { text: { en: "a".repeat(501), de: "gut" }, severity: "bad" },
  });
  expect(refused.status).toBe(400);
  expect(refused.body).toContain("message.text.en: expected a message, at most 500 characters");
  expect(refused.body).toContain("message.severity: unknown severity");
  await admin.request("PATCH", "/rooms/line", { message: null });
});
