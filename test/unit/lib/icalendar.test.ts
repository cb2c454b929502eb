/** Calendar entries, read by a parser of its own. */
import fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { type CalendarEvent, writeCalendar } from "../../../src/lib/icalendar.ts";

const event: CalendarEvent = {
  uid: "opening-1-tickets@queue.example.com",
  summary: "Autumn tour tickets",
  startsMs: Date.UTC(2031, 4, 10, 8, 0, 0),
  stampMs: Date.UTC(2031, 4, 1, 6, 5, 4, 999),
  url: "https://shop.example.com/sale?a=1,2;b#c",
  remindsMinutesBefore: 10,
};

function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const [own] = calendar.getAllSubcomponents("vevent");
  if (own === undefined) throw new Error("no event");
  return { calendar, own, of: (name: string) => own.getFirstPropertyValue(name)?.toString() };
}

describe("a calendar entry", () => {
  test("has what RFC 5545 asks for, and a reminder", () => {
    const { calendar, own, of } = read(writeCalendar(event));
    expect(calendar.getFirstPropertyValue("version")).toBe("2.0");
    expect(calendar.getFirstPropertyValue("prodid")).toBe("-//Usher//Waiting room//EN");
    expect([of("uid"), of("summary"), of("url")]).toEqual([event.uid, event.summary, event.url]);
    expect([of("dtstart"), of("dtstamp")]).toEqual(["2031-05-10T08:00:00Z", "2031-05-01T06:05:04Z"]);
    const alarm = own.getFirstSubcomponent("valarm");
    expect(alarm?.getFirstPropertyValue("trigger")?.toString()).toBe("-PT10M");
    expect(alarm?.getFirstPropertyValue("action")).toBe("DISPLAY");
  });

  test("is written in lines of at most 75 octets, and cuts no character", () => {
    const summary = "Ünïcødé 🎟️ チケット ".repeat(20).trim();
    const text = writeCalendar({ ...event, summary });
    expect(text.endsWith("END:VCALENDAR\r\n")).toBe(true);
    for (const line of text.split("\r\n")) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(Buffer.from(line).toString()).toBe(line);
    }
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(read(text).of("summary")).toBe(summary);
  });

  test("a title stays a title, whatever it holds", () => {
    const summary = "A\r\nEND:VEVENT\nATTENDEE:mailto:x@example.com\rX; a, b\\n\u2028c";
    const { own, calendar, of } = read(writeCalendar({ ...event, summary, url: "https://a.example/\r\nX-A:1" }));
    expect(of("summary")).toBe("A\nEND:VEVENT\nATTENDEE:mailto:x@example.com\nX; a, b\\n\nc");
    expect(own.getFirstProperty("attendee")).toBeNull();
    expect(own.getFirstProperty("x-a")).toBeNull();
    expect(calendar.getAllSubcomponents()).toHaveLength(1);
  });

  test("any text comes back as it was, but for what no text has", () => {
    const title = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(title, (summary) => {
        const { of, calendar } = read(writeCalendar({ ...event, summary }));
        const kept = summary.replace(/\r\n?|\u2028|\u2029/g, "\n").replace(/[^\P{Cc}\n]/gu, "");
        expect(of("summary") ?? "").toBe(kept);
        expect(calendar.getAllSubcomponents()).toHaveLength(1);
      }),
      { numRuns: 15 },
    );
  });
});
