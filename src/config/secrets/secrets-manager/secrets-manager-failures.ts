/** What went wrong at AWS Secrets Manager, told to an operator. The errors' names are those of the API reference of GetSecretValue and of its common errors. */
import { codeOf } from "../../../lib/system-errors.ts";
import type { SecretAddress } from "../secret-source.ts";

/** Neither the secret nor a version with that staging label: the service has one error for both. */
export function isNotFound(error: unknown): boolean {
  return nameOf(error) === "ResourceNotFoundException";
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
  const name = nameOf(error);
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

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
