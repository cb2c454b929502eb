import { vi } from "vitest";

/** Credentials for AWS' SDK, which reads the variables of the process itself, and nothing else of this machine. Undone by `vi.unstubAllEnvs`. */
export function stubAwsEnvironment(variables: Record<string, string | undefined> = {}): void {
  const all: Record<string, string | undefined> = {
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    AWS_SESSION_TOKEN: undefined,
    AWS_PROFILE: undefined,
    AWS_REGION: "eu-west-1",
    AWS_DEFAULT_REGION: undefined,
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_ENDPOINT_URL: undefined,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: undefined,
    ...variables,
  };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
}
