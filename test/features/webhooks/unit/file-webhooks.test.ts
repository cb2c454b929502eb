import { expect, it } from "vitest";
import { FileWebhooks } from "../../../../src/features/webhooks/file-webhooks.ts";

const common = {
  url: "https://hooks.example.com/",
  secrets: ["whsec_x"],
  format: "cloudevents",
  enabled: true,
} as const;
const empty = { format: 1, webhooks: {} } as const;

it.each(["pager", "constructor", "toString", "hasOwnProperty"])("a webhook of the file may be called %s", (id) => {
  const webhooks = new FileWebhooks([{ id, ...common }], ["usher.room.*"]);
  expect(webhooks.all({ ...empty, of_file: {} })).toEqual([]);
  const noted = webhooks.withTimes(empty, 7);
  expect(noted).not.toBe(empty);
  expect(webhooks.all(noted)).toEqual([[id, expect.objectContaining({ url: common.url, created_ms: 7 })]]);
  expect(webhooks.withTimes(noted, 8)).toBe(noted);
});
