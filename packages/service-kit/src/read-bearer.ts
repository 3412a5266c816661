/** The token of an `authorization` header (RFC 6750 §2.1); nothing when there is none. */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  // The usual spelling needs no expression.
  if (authorization.startsWith("Bearer ") && authorization.indexOf(" ", 7) === -1)
    return authorization.length > 7 ? authorization.slice(7) : undefined;
  return /^Bearer (\S+)$/i.exec(authorization)?.[1];
}
