import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Says in a sentence what the system refused and what mends it; null where an error is none of the system's, or nothing that
 * an operator could mend.
 */
export function describeSystemError(error: unknown): string | null {
  if (!(error instanceof Error && "code" in error && "syscall" in error)) return null;
  const failure = error as NodeJS.ErrnoException & { port?: number; address?: string; setting?: string };
  const { code = "", syscall = "", path, setting = "listen" } = failure;
  if (syscall === "listen" || syscall === "bind") {
    return describeListen(code, failure.port ?? 0, failure.address ?? "", setting);
  }
  if (syscall === "getaddrinfo") {
    return `The name ${"hostname" in error ? error.hostname : "of the host"} leads nowhere (${code}): is ${setting}.host an address of this machine?`;
  }
  if (path === undefined) return null;
  // A file that cannot be made is a matter of its folder.
  const isOfFolder = refusals.includes(code) && syscall !== "mkdir" && isMissing(path);
  return describeFile(code, isOfFolder ? dirname(path) : path, syscall);
}

function describeListen(code: string, port: number, address: string, setting: string): string {
  const choose =
    setting === "listen"
      ? "listen.port or PORT (USHER_DEMO_PORT for the demonstration's site, --port for the preview)"
      : `${setting}.port`;
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} is taken: stop what uses it (ss -ltnp 'sport = :${port}' shows it), or choose another with ${choose}.`;
    case "EACCES":
      return `Port ${port} is not open to this user: choose one from 1024 on with ${choose}, and let a proxy lead to it.`;
    case "EADDRNOTAVAIL":
      return `${address} is no address of this machine: ip address shows which are; name one in ${setting}.host.`;
    default:
      return `Port ${port} cannot be listened on (${code}): choose another with ${choose}.`;
  }
}

/** What to do about a file or folder that the system does not let this process use. */
export function describeFile(code: string, path: string, what: string): string {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return `${path} is not open to this user (${what}: ${code}): ${opening(path)}`;
    case "EROFS":
      return `${path} is on a file system that is read-only (${what}: EROFS): mount it writable, or name another place in USHER_SECRETS_FILE`;
    case "ENOSPC":
    case "EDQUOT":
      return `${path} cannot be written, since the disk is full (${code}): df -h shows how full; make room`;
    case "ENOENT":
      return `${path} is not there (${what}: ENOENT): does ls show it?`;
    case "ENOTDIR":
    case "EEXIST":
      return `${path} or a folder above it is a file (${code}): name another place`;
    default:
      return `${path} cannot be used (${what}: ${code})`;
  }
}

const refusals = ["EACCES", "EPERM"];

/** Folders of the whole system: a service that owned one, as `chown -R` has it, could replace what others keep there. */
const systemFolder =
  /^\/(bin|boot|dev|etc|home|lib\w*|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr(\/\w+)?|var(\/\w+)?)?$/;

/** The command that gives a file or folder to this user, and makes the folder where there is none. */
function opening(path: string): string {
  if (systemFolder.test(resolve(path))) return "name a file in a folder of its own in USHER_SECRETS_FILE";
  return isMissing(path) ? `sudo install -d -m 700 -o ${userId()} ${path}` : `sudo chown -R ${userId()} ${path}`;
}

function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return codeOf(error) === "ENOENT";
  }
}

/** Such as `EACCES`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

function userId(): string {
  return String(process.getuid?.() ?? "USER");
}
