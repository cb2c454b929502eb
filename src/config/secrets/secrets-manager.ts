/** AWS Secrets Manager through AWS' own SDK: one request for each secret and staging label, within bounded time. */
import { once } from "node:events";
import { Readable } from "node:stream";
import type { GetSecretValueResponse, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { withDeadline } from "../../lib/deadline.ts";
import { codeOf } from "../../lib/system-errors.ts";
import { type SecretAddress, SecretError, type SecretsManager } from "./secret-source.ts";

export interface SecretsManagerOptions {
  readonly connectionTimeoutMs?: number;
  /** Of each of the attempts. */
  readonly requestTimeoutMs?: number;
  /** Of all attempts together, with what the SDK does to find credentials. */
  readonly deadlineMs?: number;
}

const ATTEMPTS_MAX = 4;
/** Of an answer. A secret has at most 65,536 bytes, which JSON may write as six each. */
const ANSWER_BYTES_MAX = 524_288;

export function createSecretsManager({
  connectionTimeoutMs = 2_000,
  requestTimeoutMs = 5_000,
  deadlineMs = 30_000,
}: SecretsManagerOptions = {}): SecretsManager {
  const clients = new Map<string, Promise<SecretsManagerClient>>();
  const answers = new Map<string, Map<string, Promise<string | null>>>();
  const closing = new AbortController();

  function clientFor({ region, endpoint }: SecretAddress): Promise<SecretsManagerClient> {
    const name = JSON.stringify([region, endpoint]);
    // Loaded here, so that installations without secrets there do not need it.
    const client =
      clients.get(name) ??
      import("@aws-sdk/client-secrets-manager").then((sdk) =>
        boundAnswers(
          new sdk.SecretsManagerClient({
            ...(region !== null && { region }),
            ...(endpoint !== null && { endpoint }),
            retryMode: "standard",
            maxAttempts: ATTEMPTS_MAX,
            requestHandler: {
              connectionTimeout: connectionTimeoutMs,
              requestTimeout: requestTimeoutMs,
              // Else the SDK only warns and goes on waiting.
              throwOnRequestTimeout: true,
            },
          }),
        ),
      );
    clients.set(name, client);
    return client;
  }

  async function ask(address: SecretAddress, stage: string): Promise<string | null> {
    const { GetSecretValueCommand } = await import("@aws-sdk/client-secrets-manager");
    const client = await clientFor(address);
    const command = new GetSecretValueCommand({ SecretId: address.secretId, VersionStage: stage });
    let answer: GetSecretValueResponse;
    try {
      answer = await withDeadline(deadlineMs, closing.signal, (abortSignal) => {
        abortSignal.throwIfAborted();
        // The SDK heeds the signal while it sends, and not while it looks for credentials.
        return Promise.race([client.send(command, { abortSignal }), endOf(abortSignal)]);
      });
    } catch (error) {
      if (isNotFound(error)) return null;
      throw new SecretError(describeFailure(error, address));
    }
    return contentOf(answer, address, stage);
  }

  return {
    read(address, stage) {
      const name = nameOf(address);
      const ofSecret = answers.get(name) ?? new Map<string, Promise<string | null>>();
      answers.set(name, ofSecret);
      const answer = ofSecret.get(stage) ?? ask(address, stage);
      ofSecret.set(stage, answer);
      return answer;
    },
    forget(address) {
      const stages = [...(answers.get(nameOf(address))?.keys() ?? [])];
      answers.delete(nameOf(address));
      return stages;
    },
    close() {
      closing.abort();
      answers.clear();
      for (const client of clients.values()) void client.then((each) => each.destroy()).catch(() => undefined);
      clients.clear();
    },
  };
}

/** The SDK itself reads an answer of any length. */
function boundAnswers(client: SecretsManagerClient): SecretsManagerClient {
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { body?: unknown };
      if (response.body instanceof Readable) response.body = Readable.from(upTo(ANSWER_BYTES_MAX, response.body));
      return result;
    },
    { step: "deserialize", priority: "low" },
  );
  return client;
}

/** Leaving the loop ends the connection. */
async function* upTo(bytesMax: number, body: Readable): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) throw new Error(`an answer of more than ${bytesMax} bytes`);
    yield chunk;
  }
}

/** One and the same for equal addresses. */
export function nameOf({ secretId, region, endpoint }: SecretAddress): string {
  return JSON.stringify([secretId, region, endpoint]);
}

function contentOf({ SecretString, SecretBinary }: GetSecretValueResponse, { secretId }: SecretAddress, stage: string) {
  if (SecretString !== undefined) return SecretString;
  if (SecretBinary === undefined) {
    throw new SecretError(`the version ${stage} of ${secretId} has no content: write the secret into it`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(SecretBinary);
  } catch {
    throw new SecretError(`the version ${stage} of ${secretId} is binary and no UTF-8: store text`);
  }
}

async function endOf(signal: AbortSignal): Promise<never> {
  await once(signal, "abort");
  throw signal.reason;
}

/** Neither the secret nor a version with that staging label: the service has one error for both. */
export function isNotFound(error: unknown): boolean {
  return errorName(error) === "ResourceNotFoundException";
}

/** One sentence that names the secret and what to do. */
export function describeFailure(error: unknown, address: SecretAddress): string {
  return `${address.secretId} can't be read from AWS Secrets Manager${placeOf(address)}: ${reasonOf(error)}`;
}

/** ` in eu-west-1 at http://…`, as far as the reference says it. */
export function placeOf({ region, endpoint }: SecretAddress): string {
  return `${region === null ? "" : ` in ${region}`}${endpoint === null ? "" : ` at ${endpoint}`}`;
}

function reasonOf(error: unknown): string {
  const name = errorName(error);
  const isOneOf = (...names: string[]) => names.includes(name);
  if (isOneOf("AccessDeniedException")) {
    return /\bkms\b/i.test(messageOf(error))
      ? `access to its KMS key is denied: allow kms:Decrypt on the key${quoted(error)}`
      : `access is denied: allow secretsmanager:GetSecretValue on this secret${quoted(error)}`;
  }
  if (isOneOf("DecryptionFailure"))
    return "its KMS key can't decrypt it: the key must be enabled, and kms:Decrypt on it allowed";
  if (isOneOf("InvalidRequestException", "InvalidParameterException", "ValidationException"))
    return `the request was refused; is the secret marked for deletion, or its name misspelt?${quoted(error)}`;
  if (isOneOf("ThrottlingException", "TooManyRequestsException", "LimitExceededException"))
    return "requests are throttled, and repeating them did not help: ask less often (secrets.refresh), or raise the quota";
  if (isOneOf("InternalServiceError", "InternalFailure", "ServiceUnavailable", "ServiceUnavailableException"))
    return "the service failed, and repeating the request did not help";
  if (CREDENTIALS_REFUSED.includes(name))
    return `the credentials are not accepted (${name}): are they right, not expired, and is the clock?`;
  if (isOneOf("CredentialsProviderError", "TokenProviderError"))
    return "no credentials were found: give the task, the pod or the machine a role, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
  const unreachable = "the address must be reachable from here (VPC endpoint, security group, proxy)";
  if (isOneOf("TimeoutError", "AbortError")) return `no answer in time: ${unreachable}`;
  if (/region is missing/i.test(messageOf(error)))
    return "the region is not known: write region, an ARN, or set AWS_REGION";
  if (/^[A-Z][A-Z0-9_]+$/.test(codeOf(error))) return `no connection (${codeOf(error)}): ${unreachable}`;
  // Its message is not told: a reader of broken answers quotes them.
  return `an unexpected answer (${/^\w{1,80}$/.test(name) ? name : "unknown error"})`;
}

const CREDENTIALS_REFUSED = [
  "UnrecognizedClientException",
  "InvalidSignatureException",
  "InvalidClientTokenId",
  "SignatureDoesNotMatch",
  "ExpiredTokenException",
  "MissingAuthenticationToken",
];

/** The service's own message, which names who was denied what. */
function quoted(error: unknown): string {
  const text = messageOf(error)
    .replace(/\p{Cc}+/gu, " ")
    .trim();
  return text === "" ? "" : ` (AWS says: ${text.length > 400 ? `${text.slice(0, 399)}…` : text})`;
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
