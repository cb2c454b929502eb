/** A secret can't be had. The message is shown to the operator. */
export class SecretError extends Error {
  override name = "SecretError";
}

/** The reference names a version that there need not be always, and now there is none. */
export class SecretAbsent extends SecretError {
  override name = "SecretAbsent";
}
