/** Invitations as a site makes them that signs tokens by itself (docs/invitations.md). */
import { SignJWT } from "jose";

export interface Invited {
  readonly key: string;
  readonly class?: string;
  readonly expiresAt: Date;
}

export function createInvitationSigner(options: {
  readonly issuer: string;
  readonly room: string;
  readonly secret: string;
}) {
  const { issuer, room, secret } = options;

  const sign = ({ key, class: classId, expiresAt }: Invited): Promise<string> =>
    new SignJWT({ room, ...(classId !== undefined && classId !== "" && { class: classId }) })
      .setProtectedHeader({ alg: "HS256" })
      .setAudience(issuer)
      .setSubject(key)
      .setExpirationTime(expiresAt)
      .sign(new TextEncoder().encode(secret));

  return {
    sign,
    /** It opens the room with the invitation. */
    link: async (invited: Invited) => `${issuer}/rooms/${room}/enter?invitation=${await sign(invited)}`,
  };
}
