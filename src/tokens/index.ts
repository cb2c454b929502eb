/**
 * `usher/tokens`: makes invitations to rooms with `entry: invited` (docs/invitations.md), for the site or the mailing that sends them. Needs nothing
 * of Usher but its address and the key that the room's `invitations` name.
 */
export {
  createInvitationSigner,
  InvitationError,
  type InvitationSigner,
  type InvitationSignerOptions,
  type Invited,
} from "./invitation-signer.ts";
