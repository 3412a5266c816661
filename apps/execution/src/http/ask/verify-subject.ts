import { decodeJwt } from "jose";
import type { AskIssuer } from "../../ask/ask-settings.ts";
import type { AuthRefusal } from "../auth/authenticator.ts";
import { createVerifyJwt, type VerifiedClaims } from "../auth/verify-jwt.ts";
import type { AskSurface } from "../ask-routes-deps.ts";
import { createIssuerKeys } from "../auth/issuer-keys.ts";

/** Returns the claims of a token for a surface, or why it is not valid. Rejects when the issuer's keys can't be fetched. */
export type VerifySubject = (token: string, surface: AskSurface) => Promise<VerifiedClaims | AuthRefusal>;

export interface VerifySubjectOptions {
  readonly askUrl: string | undefined;
  readonly clockSkewMs: number;
  /** Of the issuers' keys, as for `createRemoteKeys`. */
  readonly maxAgeMs: number;
  readonly cooldownMs: number;
}

/** Verifies tokens of the issuers in ASK_FILE. */
export function createVerifySubject(issuers: readonly AskIssuer[], options: VerifySubjectOptions): VerifySubject {
  const { clockSkewMs } = options;
  const verifiers = new Map(
    issuers.map((one) => {
      const keys = createIssuerKeys(one, options);
      const verifyFor = (surface: AskSurface) =>
        createVerifyJwt({
          keys,
          issuers: [one.issuer],
          audiences: audiencesOf(one, options.askUrl, surface),
          clockSkewMs,
          now: () => Date.now(),
        });
      return [one.issuer, { a2a: verifyFor("a2a"), mcp: verifyFor("mcp") }];
    }),
  );
  return async (token, surface) => {
    const verify = verifiers.get(issuerOf(token) ?? "");
    return verify === undefined ? "token_wrong_issuer" : verify[surface](token);
  };
}

/** The `audience` of the issuer; otherwise ASK_URL, or the resource below it that the metadata of this surface names. */
function audiencesOf({ audience }: AskIssuer, askUrl: string | undefined, surface: AskSurface): readonly string[] {
  if (audience !== undefined) return [audience];
  return askUrl === undefined ? [] : [askUrl, `${askUrl}/`, `${askUrl}/${surface}`];
}

/** Returns the issuer that an unverified token names. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
