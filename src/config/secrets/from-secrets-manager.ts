import {
  type FetchedSecret,
  type OriginWatch,
  type OtherVersion,
  type Reference,
  type ReloadContext,
  readMember,
  SecretAbsent,
  type SecretAddress,
  type SecretContext,
  SecretError,
  type SecretSource,
  type VersionsWanted,
} from "./secret-source.ts";
import { nameOf, placeOf } from "./secrets-manager.ts";

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
  fetch: fetchVersions,
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
      const forgotten = manager.forget(address);
      stages ??= new Set([...STAGES.key_ring, ...forgotten].filter((stage) => forgotten.includes(stage)));
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

/** A staging label that is written stands alone. */
function checkStage(stage: string, versions: VersionsWanted): void {
  if (stage.length > STAGE_LENGTH_MAX) {
    throw new SecretError(`version_stage has more than ${STAGE_LENGTH_MAX} characters`);
  }
  if (stage === PENDING && versions !== "extra") {
    const advice = versions === "key_ring" ? "it is read by itself, to verify only; " : "";
    throw new SecretError(`${PENDING} is a version whose rotation has not ended: ${advice}leave version_stage out`);
  }
}

async function fetchVersions(
  reference: Reference,
  versions: VersionsWanted,
  { secretsManager }: SecretContext,
): Promise<FetchedSecret> {
  const address = addressOf(reference);
  const { key, version_stage: only } = reference;
  if (only !== undefined) checkStage(only, versions);
  const contents = new Map<string, string>();
  for (const stage of only === undefined ? STAGES[versions] : [only]) {
    const content = await secretsManager.read(address, stage);
    if (content !== null) contents.set(stage, content);
  }
  const contentAs = (stage: string, content: string) => {
    const name = `the version ${stage} of ${address.secretId}`;
    return { name, value: readMember(content, key, name), isPast: stage === PREVIOUS };
  };

  const stage = only ?? CURRENT;
  const content = contents.get(stage);
  if (content === undefined) {
    const message = `${address.secretId} has no version ${stage}${placeOf(address)}, or there is no such secret: check its name, region and account`;
    throw stage === CURRENT ? new SecretError(message) : new SecretAbsent(message);
  }
  const { value } = contentAs(stage, content);
  contents.delete(stage);
  const others: OtherVersion[] = [];
  const leftOut: string[] = [];
  for (const [other, otherContent] of contents) {
    try {
      others.push(contentAs(other, otherContent));
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      if (other !== PREVIOUS) leftOut.push(error.message);
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
