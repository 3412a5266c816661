import { hash, timingSafeEqual } from "node:crypto";
import { readBearer } from "@crosszone/service-kit";
import { SharedProblem } from "./shared-problem.ts";

const digestOf = (token: string): Buffer => hash("sha256", `agent admin ${token}`, "buffer");

/**
 * Finds out whose token a request brings, by its digest: the name under which limits and the audit trail know who asks, which does not
 * lead back to the token. Every token is looked at, in constant time. Throws a `SharedProblem` when it is none of them, and when there are none.
 */
export function authenticateAdmin(authorization: string | undefined, tokens: readonly string[]): string {
  if (tokens.length === 0)
    throw new SharedProblem("api_off", "Set AGENT_ADMIN_TOKENS to switch it on: nobody is let in without a token.");
  const token = readBearer(authorization);
  if (token === undefined)
    throw new SharedProblem("unauthorized", "Send an admin's token as Authorization: Bearer.", {
      headers: { "www-authenticate": "Bearer" },
    });
  const given = digestOf(token);
  let found: Buffer | undefined;
  for (const digest of tokens.map(digestOf)) if (timingSafeEqual(digest, given)) found = digest;
  if (found !== undefined) return `token:${found.toString("hex", 0, 6)}`;
  throw new SharedProblem("unauthorized", "The token is not valid.", {
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  });
}
