import { SecretError } from "./secret-error.ts";
import type { SecretSource } from "./secret-source.ts";

/** `{ from: env, name: SHOP_SECRET }`: an environment variable. */
export const fromEnv: SecretSource = {
  from: "env",
  fields: ["name"],
  async fetch({ name = "" }, { env }) {
    if (!/^[A-Za-z_]\w{0,127}$/.test(name)) {
      // Not repeated in the message: somebody may have put the secret itself here.
      throw new SecretError(
        "name is not the name of an environment variable (letters, digits and _): write the variable's name, not the secret",
      );
    }
    const value = env[name] ?? "";
    if (value === "") {
      throw new SecretError(`the environment variable ${name} is not set: set it where Usher is started`);
    }
    return { value, warnings: [] };
  },
};
