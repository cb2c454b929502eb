/** What was looked at, what was found, and of a fault or warning the way out. */
export interface Finding {
  readonly about: string;
  readonly status: "ok" | "warning" | "fault";
  readonly text: string;
}

export const ok = (about: string, text: string): Finding => ({ about, status: "ok", text });
export const warning = (about: string, text: string): Finding => ({ about, status: "warning", text });
export const fault = (about: string, text: string): Finding => ({ about, status: "fault", text });
