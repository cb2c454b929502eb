/** AWS Secrets Manager through AWS' own SDK: one request for each secret and staging label, within bounded time. */
import type { GetSecretValueResponse, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { withDeadline } from "../../lib/deadline.ts";
import { SecretError } from "./secret-error.ts";
import { describeFailure, isNotFound, type SecretAddress } from "./secrets-manager-failures.ts";

export interface SecretsManager {
  /**
   * The content of the version with that staging label, null when no version has it. What was asked once, or is being
   * asked, is not asked again, and a failure is remembered, too, until `forget`.
   *
   * @throws SecretError that says what is wrong and what to do
   */
  read(address: SecretAddress, stage: string): Promise<string | null>;
  forget(address: SecretAddress): void;
  /** Ends what is under way, and forgets everything. */
  close(): void;
}

export interface SecretsManagerOptions {
  readonly connectionTimeoutMs?: number;
  /** Of each of the attempts. */
  readonly requestTimeoutMs?: number;
  /** Of all attempts together, with what the SDK does to find credentials. */
  readonly deadlineMs?: number;
}

export const ATTEMPTS_MAX = 4;

export function createSecretsManager({
  connectionTimeoutMs = 2_000,
  requestTimeoutMs = 5_000,
  deadlineMs = 30_000,
}: SecretsManagerOptions = {}): SecretsManager {
  const clients = new Map<string, Promise<SecretsManagerClient>>();
  const answers = new Map<string, Map<string, Promise<string | null>>>();
  const closing = new AbortController();

  async function makeClient({ region, endpoint }: SecretAddress): Promise<SecretsManagerClient> {
    // Loaded here, so that installations without secrets there do not need it.
    const sdk = await import("@aws-sdk/client-secrets-manager");
    return new sdk.SecretsManagerClient({
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
    });
  }

  function clientFor(address: SecretAddress): Promise<SecretsManagerClient> {
    const name = JSON.stringify([address.region, address.endpoint]);
    const client = clients.get(name) ?? makeClient(address);
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
        return orAbandon(abortSignal, client.send(command, { abortSignal }));
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
      answers.delete(nameOf(address));
    },
    close() {
      closing.abort();
      answers.clear();
      for (const client of clients.values()) {
        client.then(
          (each) => each.destroy(),
          () => undefined,
        );
      }
      clients.clear();
    },
  };
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

/** The SDK heeds the signal while it sends, and not while it looks for credentials. */
async function orAbandon<T>(signal: AbortSignal, running: Promise<T>): Promise<T> {
  let abandon = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    abandon = () => reject(signal.reason);
    signal.addEventListener("abort", abandon, { once: true });
  });
  try {
    return await Promise.race([running, abandoned]);
  } finally {
    signal.removeEventListener("abort", abandon);
  }
}
