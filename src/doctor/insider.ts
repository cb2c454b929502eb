/** What the doctor asks of the installation itself, which shows none of it to the public. */
export interface Insider {
  /** How findings name what answers. */
  readonly name: string;
  /** A bypass link into the room. @throws Untried */
  makeLink(room: string): Promise<string>;
  /** The `sub` of the visitor who holds a ticket; null for a ticket that is none. @throws Untried */
  visitorOf(room: string, ticket: string): Promise<string | null>;
  /** Whether the visitor's admission still lets them log in. @throws Untried */
  isLive(room: string, sub: string): Promise<boolean>;
  /** Ends the visitor's admission, where there is one. @throws Untried */
  endAdmission(room: string, sub: string): Promise<void>;
}

/** Something could not be tried, which says nothing about what visitors meet. */
export class Untried extends Error {}
