import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTime, isTimeZone, readTime } from "../../../../src/config/schema/times.ts";

const BERLIN = "Europe/Berlin";

describe("times", () => {
  it.each([
    ["2027-03-01T10:00:00+01:00", null, Date.UTC(2027, 2, 1, 9)],
    ["2027-03-01T10:00+01:00", null, Date.UTC(2027, 2, 1, 9)],
    ["2027-03-01T10:00:00Z", null, Date.UTC(2027, 2, 1, 10)],
    ["2027-03-01t10:00:00z", null, Date.UTC(2027, 2, 1, 10)],
    ["2027-03-01 10:00:00.25Z", null, Date.UTC(2027, 2, 1, 10, 0, 0, 250)],
    ["2027-03-01T10:00:00[Europe/Berlin]", null, Date.UTC(2027, 2, 1, 9)],
    ["2027-07-01T10:00[Europe/Berlin]", null, Date.UTC(2027, 6, 1, 8)],
    ["2027-03-01T10:00+01:00[Europe/Berlin]", null, Date.UTC(2027, 2, 1, 9)],
    ["2027-03-01T10:00Z[Europe/Berlin]", null, Date.UTC(2027, 2, 1, 10)],
    ["2027-03-01T10:00[!Europe/Berlin]", null, Date.UTC(2027, 2, 1, 9)],
    ["2027-03-01T10:00[+01:00]", null, Date.UTC(2027, 2, 1, 9)],
    ["2027-03-01T10:00", BERLIN, Date.UTC(2027, 2, 1, 9)],
    ["2027-07-01T10:00:30", BERLIN, Date.UTC(2027, 6, 1, 8, 0, 30)],
    ["2027-07-01T10:00", "UTC", Date.UTC(2027, 6, 1, 10)],
    // What stands in the time itself goes before the zone beside it.
    ["2027-07-01T10:00Z", BERLIN, Date.UTC(2027, 6, 1, 10)],
    ["2027-07-01T10:00[America/New_York]", BERLIN, Date.UTC(2027, 6, 1, 14)],
    // The two that a clock change makes of one local time.
    ["2027-10-31T02:30+02:00[Europe/Berlin]", null, Date.UTC(2027, 9, 31, 0, 30)],
    ["2027-10-31T02:30+01:00[Europe/Berlin]", null, Date.UTC(2027, 9, 31, 1, 30)],
  ])("reads %s, beside the zone %s", (text, zone, ms) => {
    expect(readTime(text, zone)).toEqual({ ms });
  });

  it.each([
    ["", null, /^expected a time such as 2027-03-01T10:00:00\+01:00/],
    ["tomorrow", null, /^expected a time such as/],
    ["2027-03-01", null, /^expected a time such as/],
    ["2027-3-1T10:00Z", null, /^expected a time such as/],
    ["2027-03-01T10Z", null, /^expected a time such as/],
    ["2027-03-01T10:00+0100", null, /^expected a time such as/],
    ["2027-03-01T10:00Z[u-ca=hebrew]", null, /^expected a time such as/],
    [" 2027-03-01T10:00Z", null, /^expected a time such as/],
    [20270301, null, /^expected a time such as/],
    [["2027-03-01T10:00Z"], null, /^expected a time such as/],
    ["2027-02-29T10:00Z", null, /^there is no such date or time of day/],
    ["2027-13-01T10:00Z", null, /^there is no such date or time of day/],
    ["2027-03-01T25:00[Europe/Berlin]", null, /^there is no such date or time of day/],
    ["2027-03-01T10:00+25:00", null, /^there is no offset \+25:00/],
    ["1969-12-31T23:59Z", null, /^expected a time after 1970/],
    [
      "2027-03-01T10:00",
      null,
      /^a local time without a zone: give schedule.time_zone, such as Europe\/Berlin, or write "2027-03-01T10:00:00\[Europe\/Berlin\]"$/,
    ],
    [
      "2027-03-01T10:00[Europe/Berln]",
      null,
      /^unknown time zone, did you mean Europe\/Berlin\?; expected an IANA name/,
    ],
    ["2027-03-01T10:00Z[Mars/Base]", null, /^unknown time zone/],
    ["2027-03-01T10:00[+25:00]", null, /^unknown time zone/],
    [
      "2027-07-01T10:00+01:00[Europe/Berlin]",
      null,
      /^the offset \+01:00 contradicts the zone; in Europe\/Berlin it is \+02:00 then: write 2027-07-01T10:00:00\+02:00\[Europe\/Berlin\]$/,
    ],
    [
      "2027-03-28T02:30[Europe/Berlin]",
      null,
      /^does not exist in Europe\/Berlin, .*: write 2027-03-28T03:30:00\+02:00\[Europe\/Berlin\] or another time$/,
    ],
    ["2027-03-28T02:30", BERLIN, /^does not exist in Europe\/Berlin/],
    [
      "2027-10-31T02:30",
      BERLIN,
      /^occurs twice in Europe\/Berlin, .*: write 2027-10-31T02:30:00\+02:00\[Europe\/Berlin\] or 2027-10-31T02:30:00\+01:00\[Europe\/Berlin\]$/,
    ],
  ])("refuses %j beside the zone %s, and says what to write", (text, zone, fault) => {
    const reading = readTime(text, zone);
    expect(reading).toMatchObject({ fault: expect.stringMatching(fault) });
    expect(reading).not.toHaveProperty("ms");
  });

  it("has an order even without a zone", () => {
    expect(readTime("2027-03-01T10:00", null)).toMatchObject({ localMs: Date.UTC(2027, 2, 1, 10) });
    expect(readTime("2027-02-30T10:00", null)).not.toHaveProperty("localMs");
  });

  it("what a fault says to write can be read", () => {
    for (const text of ["2027-07-01T10:00+01:00", "2027-03-28T02:30", "2027-10-31T02:30"]) {
      const reading = readTime(`${text}[Europe/Berlin]`, null);
      const written = "fault" in reading ? (reading.fault.match(/2027-\S+\]/g) ?? []) : [];
      expect(written.length).toBeGreaterThan(0);
      for (const advice of written) expect(readTime(advice, null)).toEqual({ ms: expect.any(Number) });
    }
  });

  const moments = fc.integer({ min: 1, max: 253_402_300_799_999 });

  it("reads back what it writes, for every moment", () => {
    fc.assert(
      fc.property(moments, (ms) => {
        expect(readTime(formatTime(ms), null)).toEqual({ ms });
      }),
    );
  });

  it("reads a moment alike in every zone's own words", () => {
    const zones = fc.constantFrom(BERLIN, "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), zones, (seconds, zone) => {
        const ms = 1_000_000_000_000 + seconds * 1_000;
        const local = new Intl.DateTimeFormat("sv-SE", {
          timeZone: zone,
          dateStyle: "short",
          timeStyle: "medium",
        }).format(ms);
        const reading = readTime(local, zone);
        // Of the hour that a clock change repeats nobody can tell which one is meant.
        expect(reading).toEqual("fault" in reading ? { fault: expect.stringMatching(/^occurs twice/) } : { ms });
        expect(readTime(`${local}[${zone}]`, null)).toEqual(reading);
      }),
    );
  });

  it("never throws, whatever the text", () => {
    const parts = fc.stringMatching(/^[-+:.TZ0-9[\]A-Za-z/! ]{0,40}$/);
    const near = fc.stringMatching(/^20\d\d-[01]\d-[0-3]\dT[0-2]\d:\d\d([+-]\d\d:\d\d)?(\[[A-Za-z/+0-9:-]{0,8}\])?$/);
    fc.assert(
      fc.property(fc.oneof(fc.anything(), parts, near), fc.constantFrom(null, BERLIN), (value, zone) => {
        const reading = readTime(value, zone);
        expect("fault" in reading ? reading.fault : reading.ms).toBeTruthy();
      }),
    );
  });

  it("knows the zones of the IANA database, and nothing that only looks like one", () => {
    for (const name of [BERLIN, "UTC", "Etc/GMT+5", "America/Argentina/Buenos_Aires"])
      expect(isTimeZone(name)).toBe(true);
    for (const name of ["", "Z", "+01:00", "Berlin", "Europe/Berlin ", "__proto__", "PST", "x".repeat(100)]) {
      expect(isTimeZone(name), name).toBe(false);
    }
    expect(readTime("2027-03-01T10:00[PST]", null)).toEqual({ fault: expect.stringMatching(/^unknown time zone/) });
  });
});
