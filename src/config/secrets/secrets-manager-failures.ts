/** What went wrong at AWS Secrets Manager, told to an operator. The errors' names are those of the API reference of GetSecretValue and of its common errors. */
import type { SecretAddress } from "./secret-source.ts";

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
  switch (nameOf(error)) {
    case "AccessDeniedException":
      return /\bkms\b/i.test(messageOf(error))
        ? `access to its KMS key is denied: allow kms:Decrypt on the key${quoted(error)}`
        : `access is denied: allow secretsmanager:GetSecretValue on this secret${quoted(error)}`;
    case "DecryptionFailure":
      return "its KMS key can't decrypt it: the key must be enabled, and kms:Decrypt on it allowed";
    case "InvalidRequestException":
    case "InvalidParameterException":
    case "ValidationException":
      return `the request was refused; is the secret marked for deletion, or its name misspelt?${quoted(error)}`;
    case "ThrottlingException":
    case "TooManyRequestsException":
    case "LimitExceededException":
      return "requests are throttled, and repeating them did not help: ask less often (secrets.refresh), or raise the quota";
    case "InternalServiceError":
    case "InternalFailure":
    case "ServiceUnavailable":
    case "ServiceUnavailableException":
      return "the service failed, and repeating the request did not help";
    case "UnrecognizedClientException":
    case "InvalidSignatureException":
    case "InvalidClientTokenId":
    case "SignatureDoesNotMatch":
    case "ExpiredTokenException":
    case "MissingAuthenticationToken":
      return `the credentials are not accepted (${nameOf(error)}): are they right, not expired, and is the clock?`;
    case "CredentialsProviderError":
    case "TokenProviderError":
      return "no credentials were found: give the task, the pod or the machine a role, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    case "TimeoutError":
    case "AbortError":
      return "no answer in time: the address must be reachable from here (VPC endpoint, security group, proxy)";
    default:
      return otherReasonOf(error);
  }
}

function otherReasonOf(error: unknown): string {
  if (/region is missing/i.test(messageOf(error))) {
    return "the region is not known: write region, an ARN, or set AWS_REGION";
  }
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
  if (code !== null && /^[A-Z][A-Z0-9_]+$/.test(code)) {
    return `no connection (${code}): the address must be reachable from here (VPC endpoint, security group, proxy)`;
  }
  // Its message is not told: a reader of broken answers quotes them.
  return `an unexpected answer (${/^\w{1,80}$/.test(nameOf(error)) ? nameOf(error) : "unknown error"})`;
}

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
