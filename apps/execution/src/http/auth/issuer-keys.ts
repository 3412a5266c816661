import { isReadableOnTheWay, readAtMost } from "@crosszone/service-kit";
import type { JWTVerifyGetKey } from "jose";
import { z } from "zod";
import type { AskIssuer } from "../../ask/ask-settings.ts";
import { createRemoteKeys, type RemoteKeysOptions } from "./json-web-keys.ts";

const maxBytes = 262_144;
const timeoutMs = 5_000;

/**
 * Returns the keys of an issuer. Without `jwks`, their address is in the issuer's metadata, which is read with the first token and, if that
 * fails, again after `cooldownMs`.
 */
export function createIssuerKeys(
  { issuer, jwks }: AskIssuer,
  options: Omit<RemoteKeysOptions, "url">,
): JWTVerifyGetKey {
  const find = async (): Promise<JWTVerifyGetKey> =>
    createRemoteKeys({ ...options, url: jwks ?? (await findKeysUrl(issuer)) });
  let found: Promise<JWTVerifyGetKey> | undefined;
  let failedAt = -Infinity;
  return async (header, token) => {
    if (performance.now() - failedAt > options.cooldownMs) found ??= find();
    if (found === undefined) throw new Error(`the metadata of ${issuer} could not be read a moment ago`);
    const keys = await found.catch((error: unknown) => {
      found = undefined;
      failedAt = performance.now();
      throw error;
    });
    return keys(header, token);
  };
}

/**
 * Returns the `jwks_uri` of an issuer's metadata. Rejects with an `Error` when no metadata of this issuer can be read.
 * https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig and https://www.rfc-editor.org/rfc/rfc8414#section-3
 */
export async function findKeysUrl(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  // Another issuer's metadata would name keys that this one does not control.
  const metadata = z.object({
    issuer: z.literal(issuer),
    jwks_uri: z.url({ protocol: /^https?$/ }).refine((url) => !isReadableOnTheWay(url)),
  });
  for (const place of places) {
    const { data } = metadata.safeParse(await readJson(place));
    if (data !== undefined) return data.jwks_uri;
  }
  throw new Error(`no metadata of ${issuer}: expected it at ${places.join(" or ")}, with this issuer and its jwks_uri`);
}

/** Returns undefined unless the answer is JSON with status 200. Rejects when there is no answer. */
export async function readJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    redirect: "error",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const bytes = response.body === null ? "too_large" : await readAtMost(response.body, maxBytes);
  if (!response.ok || bytes === "too_large") return undefined;
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
