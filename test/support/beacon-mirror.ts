/** Mirrors of a chain that a test keeps: a key pair of its own, and servers that answer as they are told. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { roundBytes } from "../../src/room/draw-recipe/beacon-signature.ts";
import type { BeaconChain } from "../../src/room/draw-recipe/index.ts";

const { shortSignatures } = bls12_381;
const domain = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

export interface ChainDouble extends BeaconChain {
  sign(round: number): string;
}

export function createChain(seed: number): ChainDouble {
  const { secretKey, publicKey } = shortSignatures.keygen(new Uint8Array(48).fill(seed));
  return {
    hash: bytesToHex(sha256(Uint8Array.of(seed))),
    publicKey: publicKey.toHex(),
    genesisSec: 1_700_000_000,
    periodSec: 3,
    sign: (round) => shortSignatures.sign(shortSignatures.hash(sha256(roundBytes(round)), domain), secretKey).toHex(),
  };
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface MirrorDouble {
  readonly url: string;
  readonly paths: readonly string[];
  /** Resolves when it is asked for the first time. */
  readonly asked: Promise<void>;
  /** Resolves when somebody has hung up before the answer was complete. */
  readonly left: Promise<void>;
  close(): Promise<void>;
}

export async function startMirror(answer: Answer): Promise<MirrorDouble> {
  const paths: string[] = [];
  let noteAsked = () => {};
  let noteLeft = () => {};
  const asked = new Promise<void>((resolve) => {
    noteAsked = resolve;
  });
  const left = new Promise<void>((resolve) => {
    noteLeft = resolve;
  });
  const server: Server = createServer((request, response) => {
    paths.push(request.url ?? "");
    response.on("close", () => {
      if (!response.writableFinished) noteLeft();
    });
    noteAsked();
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    asked,
    left,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers as drand does. */
export function withRound(round: number, signature: string): Answer {
  return (response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ round, randomness: "00".repeat(32), signature }));
  };
}

export const withText =
  (status: number, text: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(text);
  };

export const never: Answer = () => {};
