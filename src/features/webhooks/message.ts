import { eventInWords } from "../../lib/event-words.ts";
import type { Message } from "../../lib/send.ts";
import type { CloudEvent } from "../../operate/events/cloud-event.ts";
import type { Webhook } from "./content.ts";
import { signedHeaders } from "./signing.ts";

/** What is sent of an event. @param secrets those that sign now @param nowMs of the system's clock, by which receivers go */
export function messageOf(
  { url, format }: Pick<Webhook, "url" | "format">,
  secrets: readonly string[],
  event: CloudEvent,
  nowMs: number,
): Message {
  const body = JSON.stringify(format === "slack" ? { text: inWords(event) } : event);
  const contentType = format === "slack" ? "application/json" : "application/cloudevents+json; charset=utf-8";
  return { url, contentType, body, headers: signedHeaders(secrets, event.id, Math.floor(nowMs / 1_000), body) };
}

/** One line for people. */
function inWords(event: CloudEvent): string {
  const { source, time } = event;
  const host = URL.canParse(source) ? new URL(source).host : source;
  return escaped(eventInWords(event).slice(0, 2_500)) + escaped(` - ${host}, ${time}`);
}

/** As Slack asks for: https://docs.slack.dev/messaging/formatting-message-text/ */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
