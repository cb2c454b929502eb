/** A small DNS server (RFC 1035) on this machine, over UDP: it knows the records that a test gives it, and counts what it is asked. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import ipaddr from "ipaddr.js";

/** Records of a name. `silent`: no answer at all. */
export interface DnsRecords {
  readonly ptr?: readonly string[];
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly rcode?: number;
  readonly silent?: true;
}

const types: Readonly<Record<number, "a" | "aaaa" | "ptr">> = { 1: "a", 12: "ptr", 28: "aaaa" };
const noSuchName = 3;
const headerBytes = 12;

/** The name under which an address has its PTR record (RFC 1035, section 3.5, and RFC 3596, section 2.5). */
export function reverseName(address: string): string {
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return `${address.split(".").reverse().join(".")}.in-addr.arpa`;
  const digits = parsed.toByteArray().map((byte) => byte.toString(16).padStart(2, "0"));
  return `${[...digits.join("")].reverse().join(".")}.ip6.arpa`;
}

export async function startDnsServer(records: Record<string, DnsRecords> = {}) {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (message, from) => {
    const { name, end } = readName(message, headerBytes);
    const type = types[message.readUInt16BE(end)];
    asked.push(`${type} ${name}`);
    const found = records[name];
    if (found?.silent) return;
    const data = type === undefined || found === undefined ? [] : (found[type] ?? []);
    const answers = data.map((value) => answerOf(message.readUInt16BE(end), type, value));
    const header = Buffer.alloc(headerBytes);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (found === undefined ? noSuchName : (found.rcode ?? 0)), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, message.subarray(headerBytes, end + 4), ...answers]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    records,
    asked,
    async stop() {
      socket.close();
      await once(socket, "close");
    },
  };
}

function readName(message: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

function answerOf(typeNumber: number, type: "a" | "aaaa" | "ptr" | undefined, value: string): Buffer {
  const data = type === "ptr" ? nameBytes(value) : Buffer.from(ipaddr.parse(value).toByteArray());
  const head = Buffer.alloc(headerBytes);
  // The name is that of the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(typeNumber, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split(".").filter((label) => label !== "");
  return Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, "latin1")]),
    Buffer.from([0]),
  ]);
}
