import type { WrittenParty } from "../snippets/index.ts";

/** What a first configuration has to say for a relying party whose snippet is used as it is. */
interface PartyStart {
  /** Where it takes answers at the site; null where that is at another host, which only the operator knows. */
  readonly callbackPath: string | null;
  /** Of the file with the snippet. */
  readonly fileName: string;
  /** Keys of the client that go with times and switches of the snippet. */
  readonly settings: (site: string) => Readonly<Record<string, unknown>>;
}

const usual = () => ({});

/** A test compares them with the clients of the guides. */
export const PARTY_STARTS: Readonly<Record<WrittenParty, PartyStart>> = {
  alb: { callbackPath: "/oauth2/idpresponse", fileName: "alb.tf", settings: usual },
  cognito: { callbackPath: null, fileName: "cognito.tf", settings: usual },
  nginx: { callbackPath: "/oidc_callback", fileName: "nginx.conf", settings: usual },
  apache: { callbackPath: "/oidc/callback", fileName: "apache.conf", settings: () => ({ login_timeout: "55m" }) },
  "oauth2-proxy": {
    callbackPath: "/oauth2/callback",
    fileName: "oauth2-proxy.cfg",
    settings: (site) => ({
      login_timeout: "55m",
      remembered_logins: "many",
      refresh_tokens: true,
      target_link_uris: [`${site}/`, `${site}/*`],
    }),
  },
};

export const START_PARTIES = Object.keys(PARTY_STARTS) as WrittenParty[];

export function isStartParty(name: string): name is WrittenParty {
  return Object.hasOwn(PARTY_STARTS, name);
}
