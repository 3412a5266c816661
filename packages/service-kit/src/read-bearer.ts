/** Returns the token of an `authorization` header (RFC 6750 §2.1); undefined if it has none. */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  // The common spelling needs no regular expression.
  if (authorization.startsWith("Bearer ") && authorization.indexOf(" ", 7) === -1)
    return authorization.length > 7 ? authorization.slice(7) : undefined;
  return /^Bearer (\S+)$/i.exec(authorization)?.[1];
}
