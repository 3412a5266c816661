import type { IncomingMessage } from "node:http";
import type { TokenScope } from "@crosszone/contracts";
import { readBearer } from "@crosszone/service-kit";
import { SharedProblem } from "./api-problem.ts";
import { type ApiTokens, bootstrap, findHolder, type TokenHolder } from "./token-holder.ts";
import { digestOf, isMistyped } from "./token-text.ts";

/**
 * Authenticates a request. Throws a `SharedProblem` when its token is missing, mistyped, unknown, expired or revoked, and when no token
 * exists at all.
 */
export async function authenticate({ headersDistinct }: IncomingMessage, known: ApiTokens): Promise<TokenHolder> {
  const given = headersDistinct.authorization ?? [];
  const token = given.length === 1 ? readBearer(given[0]) : undefined;
  const digest = token === undefined || isMistyped(token) ? undefined : digestOf(token);
  const holder = digest === undefined ? undefined : await findHolder(known, digest);
  if (holder !== undefined) return holder;
  await checkSwitchedOn(known);
  const headers = { "www-authenticate": token === undefined ? "Bearer" : 'Bearer error="invalid_token"' };
  const by = digest === undefined ? undefined : await known.stored.findEnded(digest);
  throw new SharedProblem("unauthorized", adviceFor(token), { headers, by });
}

function adviceFor(token: string | undefined): string {
  if (token === undefined) return "Send one token as Authorization: Bearer.";
  return isMistyped(token)
    ? "The token's checksum is wrong. Copy the whole token again."
    : "The token is not valid. It is unknown, expired or revoked.";
}

/** Throws a `SharedProblem` when the holder lacks a scope that an operation needs. */
export function checkScope({ actor, scopes }: TokenHolder, scope: TokenScope | undefined): void {
  if (scope === undefined || scopes.includes(scope)) return;
  const message =
    actor === bootstrap
      ? "ADMIN_TOKENS only work until a live token has the scope tokens:write. Use that token."
      : `The token lacks the scope ${scope}.`;
  throw new SharedProblem("missing_scope", message, {
    headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

/** Throws a `SharedProblem` when no token exists. */
export async function checkSwitchedOn({ tokens, stored }: ApiTokens): Promise<void> {
  if (tokens().length === 0 && !(await stored.hasLive()))
    throw new SharedProblem("api_off", "No token exists. Set ADMIN_TOKENS to turn the API on.");
}
