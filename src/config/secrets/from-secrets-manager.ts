import { readMember } from "./secret-member.ts";
import {
  type FetchedSecret,
  type OriginWatch,
  type OtherVersion,
  type Reference,
  type ReloadContext,
  SecretAbsent,
  type SecretAddress,
  SecretError,
  type SecretSource,
  type VersionsWanted,
} from "./secret-source.ts";
import { nameOf } from "./secrets-manager.ts";
import { placeOf } from "./secrets-manager-failures.ts";

const CURRENT = "AWSCURRENT";
const PENDING = "AWSPENDING";
const PREVIOUS = "AWSPREVIOUS";

/**
 * In the order in which they are read: a rotation that ends between two reads moves AWSPENDING to AWSCURRENT and
 * AWSCURRENT to AWSPREVIOUS, so in this order no version slips through.
 */
const STAGES: Readonly<Record<VersionsWanted, readonly string[]>> = {
  current: [CURRENT],
  accepted: [CURRENT, PREVIOUS],
  key_ring: [PENDING, CURRENT, PREVIOUS],
  extra: [CURRENT],
};
const SECRET_ID_LENGTH_MAX = 2_048;
const STAGE_LENGTH_MAX = 256;
const BACKOFF_MAX_MS = 300_000;

/** `{ from: aws_secrets_manager, secret_id: prod/usher, key: … }`: a secret there, or a member of one that is JSON. */
export const fromSecretsManager: SecretSource = {
  from: "aws_secrets_manager",
  fields: ["secret_id"],
  optionalFields: ["key", "version_stage", "region", "endpoint"],
  async fetch(reference, versions, { secretsManager }) {
    const address = addressOf(reference);
    const contents = new Map<string, string | null>();
    for (const stage of stagesOf(reference, versions)) {
      contents.set(stage, await secretsManager.read(address, stage));
    }
    return assemble(reference, address, contents);
  },
  watch: watchSecret,
};

/** Asks again now and then; after failures less and less often, and spread, so that many processes do not ask all at once. */
function watchSecret(reference: Reference, context: ReloadContext): OriginWatch {
  const { secretsManager: manager, refreshMs, random } = context;
  const address = addressOf(reference);
  const usualMs = () => refreshMs * (0.9 + 0.2 * random.fraction());
  let stages: ReadonlySet<string> | undefined;
  let failures = 0;

  return {
    name: nameOf(address),
    holdsOneValue: false,
    firstMs: usualMs(),
    async look(read) {
      const asked = manager.forget(address);
      stages ??= new Set([...STAGES.key_ring, ...asked].filter((stage) => asked.includes(stage)));
      try {
        for (const stage of stages) await manager.read(address, stage);
        await read();
        failures = 0;
        return { nextMs: usualMs(), fault: null };
      } catch (error) {
        if (!(error instanceof SecretError)) throw error;
        const mostMs = Math.min(BACKOFF_MAX_MS, refreshMs * 2 ** Math.min(++failures, 16));
        return { nextMs: mostMs * (0.5 + 0.5 * random.fraction()), fault: error.message };
      } finally {
        manager.forget(address);
      }
    },
  };
}

/** @throws SecretError when it can't be one */
function addressOf(reference: Reference): SecretAddress {
  const { secret_id: secretId = "", endpoint = null } = reference;
  // arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/usher-AbCdEf
  const [scheme, , service, region = "", , kind] = secretId.split(":");
  const isArn = scheme === "arn";
  if (secretId.length > SECRET_ID_LENGTH_MAX || (isArn && (service !== "secretsmanager" || kind !== "secret"))) {
    throw new SecretError("secret_id is neither the name nor the ARN of a secret of AWS Secrets Manager");
  }
  if (endpoint !== null && !isEndpoint(endpoint)) {
    throw new SecretError("endpoint is no address such as https://vpce-….secretsmanager.eu-west-1.vpce.amazonaws.com");
  }
  return { secretId, region: reference.region ?? (isArn && region !== "" ? region : null), endpoint };
}

/** The staging labels to read, in order. One that is written stands alone. */
function stagesOf(reference: Reference, versions: VersionsWanted): readonly string[] {
  const { version_stage: stage } = reference;
  if (stage !== undefined && stage.length > STAGE_LENGTH_MAX) {
    throw new SecretError(`version_stage has more than ${STAGE_LENGTH_MAX} characters`);
  }
  if (stage === PENDING && versions !== "extra") {
    const advice = versions === "key_ring" ? "it is read by itself, to verify only; " : "";
    throw new SecretError(`${PENDING} is a version whose rotation has not ended: ${advice}leave version_stage out`);
  }
  return stage === undefined ? STAGES[versions] : [stage];
}

function assemble(
  { key, version_stage: only }: Reference,
  address: SecretAddress,
  contents: ReadonlyMap<string, string | null>,
): FetchedSecret {
  const stage = only ?? CURRENT;
  const name = `the version ${stage} of ${address.secretId}`;
  const content = contents.get(stage) ?? null;
  if (content === null) {
    const message = `${address.secretId} has no version ${stage}${placeOf(address)}, or there is no such secret: check its name, region and account`;
    throw stage === CURRENT ? new SecretError(message) : new SecretAbsent(message);
  }
  const value = readMember(content, key, name);
  const others: OtherVersion[] = [];
  const leftOut: string[] = [];
  for (const other of [PENDING, PREVIOUS].filter((each) => each !== stage)) {
    const otherContent = contents.get(other) ?? null;
    if (otherContent === null) continue;
    const isPast = other === PREVIOUS;
    const otherName = `the version ${other} of ${address.secretId}`;
    try {
      others.push({ name: otherName, value: readMember(otherContent, key, otherName), isPast });
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      if (!isPast) leftOut.push(error.message);
    }
  }
  return { value, others, leftOut, warnings: warningsOf(address) };
}

function warningsOf({ endpoint }: SecretAddress): string[] {
  const isOpen =
    endpoint !== null && /^http:/i.test(endpoint) && !/^https?:\/\/(localhost|127\.|\[::1\])/i.test(endpoint);
  return isOpen ? [`secrets come from ${endpoint} without encryption: use https`] : [];
}

function isEndpoint(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
