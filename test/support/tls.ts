/** A certificate authority of the test's own and one server certificate, made with the `openssl` program. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "./processes.ts";

const run = promisify(execFile);

export interface Tls {
  /** The authority's certificate, PEM. */
  readonly ca: string;
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Makes them in `folder`; the certificate is good for `names` for two days. */
export async function makeTls(folder: string, names: readonly string[]): Promise<Tls> {
  const openssl = findProgram("openssl");
  if (openssl === undefined) throw new Error("the tests with TLS need the program openssl");
  const path = (name: string) => join(folder, name);
  const ecKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const extensions = `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}\nbasicConstraints=CA:FALSE\n`;
  await writeFile(path("server.ext"), extensions);

  const authority = ["-x509", "-days", "2", "-subj", "/CN=Usher test authority"];
  await run(openssl, ["req", ...ecKey, ...authority, "-keyout", path("ca.key"), "-out", path("ca.crt")]);
  const server = ["-subj", `/CN=${names[0] ?? "localhost"}`];
  await run(openssl, ["req", ...ecKey, ...server, "-keyout", path("server.key"), "-out", path("server.csr")]);
  const signing = ["-CA", path("ca.crt"), "-CAkey", path("ca.key"), "-CAcreateserial", "-days", "2"];
  const files = ["-in", path("server.csr"), "-extfile", path("server.ext"), "-out", path("server.crt")];
  await run(openssl, ["x509", "-req", ...files, ...signing]);

  return {
    ca: await readFile(path("ca.crt"), "utf8"),
    caFile: path("ca.crt"),
    certificateFile: path("server.crt"),
    keyFile: path("server.key"),
  };
}
