import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./receiver-address.ts";

/** Thrown where a name has an address that is not public. */
export class ForbiddenAddressError extends Error {
  override name = "ForbiddenAddressError";
}

/**
 * Looks a name up for a connection, and answers public addresses alone. The connection goes to what is answered here; so a name
 * that has another address a moment later changes nothing.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const addresses = found as readonly LookupAddress[] | undefined;
    if (error !== null || addresses === undefined || addresses[0] === undefined) return callback(error, "", 0);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new ForbiddenAddressError(`${hostname} has an address that is not public`), "", 0);
    }
    if (options.all) return callback(null, [...addresses]);
    callback(null, addresses[0].address, addresses[0].family);
  });
};
