import { expect, test } from "vitest";
import { describeNotice, noticeJson } from "../../../../src/http/gate-notices.ts";
import type { GateNotice } from "../../../../src/oidc/index.ts";

const room = { id: "tickets", title: "Autumn tour", state: { nowMs: 1_000 } } as unknown as GateNotice["room"];
const notice = (changes: Partial<GateNotice>) =>
  describeNotice({ status: 200, code: "not_open", room, ...changes } as GateNotice);

test("a room that is not open yet is asked for at its time, or every now and then", () => {
  expect(notice({ opensAtMs: 90_000 })).toMatchObject({
    code: "not_open",
    values: { room: "Autumn tour" },
    opensAtMs: 90_000,
    nowMs: 1_000,
    autoRetryMs: 300_000,
    action: { kind: "link", href: "", label: "try_again" },
  });
  expect(notice({ opensAtMs: null })).toMatchObject({ opensAtMs: null, autoRetryMs: 30_000 });
  expect(notice({ retryMs: 5_000, returnTo: "/authorize?a=1" })).toMatchObject({
    autoRetryMs: 5_000,
    action: { href: "/authorize?a=1" },
  });
});

test("a full line is asked again; one that has closed is not", () => {
  expect(notice({ code: "room_full" })).toMatchObject({ code: "room_full", autoRetryMs: 30_000 });
  expect(notice({ code: "ended" })).toEqual({ code: "ended", values: { room: "Autumn tour" } });
});

test("programs get the names of the wire", () => {
  const nameOf = (code: GateNotice["code"]) => noticeJson({ status: 200, code, room }).error;
  expect(nameOf("not_open")).toBe("not_open");
  expect(nameOf("ended")).toBe("room_ended");
  expect(nameOf("room_full")).toBe("room_full");
});
