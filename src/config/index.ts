/**
 * Configuration: reads a YAML file and the environment, reports every fault at once, resolves secrets,
 * and keeps the keys that nobody configured. Called by main.ts and app.ts only; other folders take the
 * finished types of config.ts. Knows nothing of rooms beyond their settings; imports only lib/.
 */
export type * from "./config.ts";
export { type DemoOptions, demoConfig, loadDemoConfig } from "./demo.ts";
export { formatDuration, parseDuration } from "./duration.ts";
export { ConfigError, type Fault, formatFault } from "./faults.ts";
export { type KeyOptions, loadKeyMaterial } from "./key-material.ts";
export { type LoadedConfig, type LoadOptions, loadConfig } from "./load.ts";
export { roomFields } from "./schema.ts";
export type { Environment, SecretSource } from "./secrets/secret-source.ts";
