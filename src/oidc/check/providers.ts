import type { ChallengeConfig } from "../../config/index.ts";

/** How a provider's challenge comes to a page, and where its answer is verified. */
export interface ProviderWidget {
  /** As visitors read it. */
  readonly name: string;
  readonly provider: ChallengeConfig["provider"];
  readonly siteKey: string;
  /** The class of the element that the provider's script fills. */
  readonly className: string;
  readonly scriptUrl: string;
  /** What its script and its frames may load (Content-Security-Policy), on the page of the check alone. */
  readonly origins: readonly string[];
}

interface ProviderEndpoints {
  readonly name: string;
  readonly className: string;
  readonly scriptUrl: string;
  readonly verifyUrl: string;
  readonly origins: readonly string[];
}

/** As their documents say. */
const endpoints: Readonly<Record<Exclude<ChallengeConfig["provider"], "custom">, ProviderEndpoints>> = {
  // https://developers.cloudflare.com/turnstile/reference/content-security-policy/
  turnstile: {
    name: "Cloudflare Turnstile",
    className: "cf-turnstile",
    scriptUrl: "https://challenges.cloudflare.com/turnstile/v0/api.js",
    verifyUrl: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
    origins: ["https://challenges.cloudflare.com"],
  },
  // https://docs.hcaptcha.com/#content-security-policy-settings
  hcaptcha: {
    name: "hCaptcha",
    className: "h-captcha",
    scriptUrl: "https://js.hcaptcha.com/1/api.js",
    verifyUrl: "https://api.hcaptcha.com/siteverify",
    origins: ["https://hcaptcha.com", "https://*.hcaptcha.com"],
  },
  // https://developers.google.com/recaptcha/docs/faq
  recaptcha: {
    name: "Google reCAPTCHA",
    className: "g-recaptcha",
    scriptUrl: "https://www.google.com/recaptcha/api.js",
    verifyUrl: "https://www.google.com/recaptcha/api/siteverify",
    origins: [
      "https://www.google.com/recaptcha/",
      "https://www.gstatic.com/recaptcha/",
      "https://recaptcha.google.com/recaptcha/",
    ],
  },
};

export function widgetOf({ provider, siteKey, name, scriptUrl }: ChallengeConfig): ProviderWidget {
  const usual = provider === "custom" ? undefined : endpoints[provider];
  const script = scriptUrl ?? usual?.scriptUrl ?? "";
  const configured = scriptUrl === undefined ? [] : [new URL(scriptUrl).origin];
  return {
    name: name ?? usual?.name ?? new URL(script).hostname,
    provider,
    siteKey,
    className: usual?.className ?? "challenge",
    scriptUrl: script,
    origins: [...new Set([...configured, ...(usual?.origins ?? [])])],
  };
}

export function verifyUrlOf({ provider, verifyUrl }: ChallengeConfig): string {
  return verifyUrl ?? (provider === "custom" ? "" : endpoints[provider].verifyUrl);
}
