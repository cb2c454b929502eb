/** The scripts on records of oidc-provider; part of the table in scripts.ts. */
import { script } from "./script-spec.ts";

const recordBase = ["clock", "server", "records"];

export const oidcScripts = {
  upsertRecord: script({
    name: "upsert-record",
    uses: recordBase,
    keys: ["record"],
    args: ["payload", "ttl_ms", "bound_to_run"],
    read: () => undefined,
  }),
  findRecord: script({
    name: "find-record",
    uses: recordBase,
    keys: ["record"],
    args: [],
    read: (reply) => ({ payload: reply.text(0), consumed: reply.text(1) }),
  }),
  consumeRecord: script({
    name: "consume-record",
    uses: recordBase,
    keys: ["record"],
    args: [],
    read: (reply) => reply.text(0) === "consumed",
  }),
  putIndex: script({
    name: "put-index",
    uses: ["clock"],
    keys: ["index"],
    args: ["id", "ttl_ms"],
    read: () => undefined,
  }),
  findIndex: script({
    name: "find-index",
    uses: ["clock"],
    keys: ["index"],
    args: [],
    read: (reply) => reply.text(0),
  }),
  fileUnderGrant: script({
    name: "file-under-grant",
    uses: ["clock"],
    keys: ["grant"],
    args: ["record", "ttl_ms"],
    read: (reply) => reply.text(0) === "filed",
  }),
  revokeGrant: script({
    name: "revoke-grant",
    uses: ["clock"],
    keys: ["grant"],
    args: ["ttl_ms"],
    read: (reply) => reply.texts(),
  }),
};
