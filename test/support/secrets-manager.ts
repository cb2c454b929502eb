/**
 * AWS Secrets Manager as far as GetSecretValue goes, on a port of this machine. Built from AWS' documentation:
 *
 * - request, answer and errors: Secrets Manager API Reference, "GetSecretValue"
 *   (https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html) and "Common Errors" there;
 * - the wire: JSON 1.1, as Smithy's "AWS JSON 1.1 protocol" has it (https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html):
 *   POST /, X-Amz-Target, application/x-amz-json-1.1, `__type` in errors, blobs in base64;
 * - the Authorization header: "Signature Version 4" (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-signing-elements.html);
 *   its form, date, region and service are checked, its signature is not computed anew;
 * - staging labels: "Rotate AWS Secrets Manager secrets" and "What's in a Secrets Manager secret?" in its User Guide: a
 *   version that becomes AWSCURRENT makes the one that was AWSPREVIOUS; AWSPENDING may stay on the same version.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Content = string | Buffer;

export interface AskedFor {
  readonly secretId: string;
  readonly stage: string;
  /** Of the credential scope. */
  readonly region: string;
}

/** What it answers instead, or `silence`: it takes the request and never answers. */
export type Trouble =
  | "silence"
  | "half"
  | { readonly type: string; readonly message?: string; readonly status?: number };

export interface SecretsManagerDouble {
  readonly url: string;
  readonly requests: AskedFor[];
  /** Writes a new version with that staging label, as PutSecretValue does. Default: AWSCURRENT, and the former becomes AWSPREVIOUS. */
  put(name: string, content: Content, stage?: string): void;
  /** Ends a rotation as UpdateSecretVersionStage does: AWSPENDING becomes AWSCURRENT. */
  finishRotation(name: string): void;
  /** For the next `times` requests of that secret, or of all. */
  trouble(trouble: Trouble, options?: { name?: string; stage?: string; times?: number }): void;
  calm(): void;
  arnOf(name: string): string;
  close(): Promise<void>;
}

const ACCOUNT = "123456789012";

export async function startSecretsManager(region = "eu-west-1"): Promise<SecretsManagerDouble> {
  const secrets = new Map<string, Map<string, Content>>();
  const requests: AskedFor[] = [];
  let troubles: { trouble: Trouble; name?: string; stage?: string; times: number }[] = [];
  const arnOf = (name: string) => `arn:aws:secretsmanager:${region}:${ACCOUNT}:secret:${name}-AbCdEf`;

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const scope = readScope(request.headers.authorization, request.headers["x-amz-date"]);
    if (scope === null) return fail(response, "MissingAuthenticationTokenException", "Missing Authentication Token");
    if (scope.service !== "secretsmanager" || scope.region !== region) {
      return fail(response, "InvalidSignatureException", `Credential should be scoped to ${region}/secretsmanager.`);
    }
    const isCall =
      request.method === "POST" &&
      request.url === "/" &&
      request.headers["x-amz-target"] === "secretsmanager.GetSecretValue" &&
      request.headers["content-type"] === "application/x-amz-json-1.1";
    if (!isCall) return fail(response, "UnknownOperationException", "");
    const { SecretId, VersionStage = "AWSCURRENT" } = JSON.parse(body) as { SecretId: string; VersionStage?: string };
    requests.push({ secretId: SecretId, stage: VersionStage, region: scope.region });
    const name = [...secrets.keys()].find((each) => SecretId === each || SecretId === arnOf(each));
    const now = troubles.find(
      (each) => each.times > 0 && (each.name ?? name) === name && (each.stage ?? VersionStage) === VersionStage,
    );
    if (now !== undefined) {
      now.times -= 1;
      return makeTrouble(now.trouble, response);
    }
    const versions = name === undefined ? undefined : secrets.get(name);
    if (name === undefined || versions === undefined) {
      return fail(response, "ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
    }
    const content = versions.get(VersionStage);
    if (content === undefined) {
      const message = `Secrets Manager can't find the specified secret value for staging label: ${VersionStage}`;
      return fail(response, "ResourceNotFoundException", message);
    }
    send(response, 200, {
      ARN: arnOf(name),
      Name: name,
      CreatedDate: 1_800_000_000.123,
      VersionId: "EXAMPLE1-90ab-cdef-fedc-ba987SECRET1",
      VersionStages: [...versions].filter(([, each]) => each === content).map(([stage]) => stage),
      ...(typeof content === "string" ? { SecretString: content } : { SecretBinary: content.toString("base64") }),
    });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const versionsOf = (name: string) => {
    const versions = secrets.get(name) ?? new Map<string, Content>();
    secrets.set(name, versions);
    return versions;
  };
  const promote = (versions: Map<string, Content>, content: Content) => {
    const former = versions.get("AWSCURRENT");
    if (former !== undefined) versions.set("AWSPREVIOUS", former);
    versions.set("AWSCURRENT", content);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    arnOf,
    put(name, content, stage = "AWSCURRENT") {
      if (stage === "AWSCURRENT") promote(versionsOf(name), content);
      else versionsOf(name).set(stage, content);
    },
    finishRotation(name) {
      const pending = versionsOf(name).get("AWSPENDING");
      if (pending === undefined) throw new Error(`${name} is not being rotated`);
      promote(versionsOf(name), pending);
    },
    trouble(trouble, { times = Number.POSITIVE_INFINITY, ...which } = {}) {
      troubles.push({ trouble, times, ...which });
    },
    calm() {
      troubles = [];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** `AWS4-HMAC-SHA256 Credential=KEY/20260101/eu-west-1/secretsmanager/aws4_request, SignedHeaders=…, Signature=…` */
function readScope(authorization = "", date: string | string[] = ""): { region: string; service: string } | null {
  const match =
    /^AWS4-HMAC-SHA256 Credential=\w+\/(\d{8})\/([\w-]+)\/(\w+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=[0-9a-f]{64}$/.exec(
      authorization,
    );
  if (match === null) return null;
  const [, day = "", region = "", service = "", headers = ""] = match;
  const isSigned = ["host", "x-amz-date", "x-amz-target"].every((name) => headers.split(";").includes(name));
  return isSigned && String(date).startsWith(`${day}T`) ? { region, service } : null;
}

function makeTrouble(trouble: Trouble, response: ServerResponse): void {
  if (trouble === "silence") return;
  if (trouble === "half") {
    response.writeHead(200, { "Content-Type": "application/x-amz-json-1.1" });
    response.end('{"SecretString":"half-of-a-sec');
    return;
  }
  fail(response, trouble.type, trouble.message ?? "", trouble.status);
}

function fail(response: ServerResponse, type: string, message: string, status = 400): void {
  send(response, status, { __type: type, message });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/x-amz-json-1.1", "x-amzn-RequestId": "EXAMPLE" });
  response.end(JSON.stringify(body));
}
