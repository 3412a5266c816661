import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { readBearer } from "@crosszone/service-kit";
import { SharedProblem } from "./shared-problem.ts";

/** The tokens that the API knows. With none of either kind, it is off. */
export interface ApiTokens {
  /** Every method is allowed. */
  readonly admin: readonly string[];
  /** GET and HEAD are allowed. A token that is in both lists is an admin's. */
  readonly view: readonly string[];
}

const digestOf = (token: string): Buffer => hash("sha256", `agent admin ${token}`, "buffer");

/**
 * Finds out whose token a request brings, by its digest: the name under which limits and the audit trail know who asks, which does not
 * lead back to the token. Every token is looked at, in constant time. Throws a `SharedProblem` when it is none of them, when there are
 * none, and when a view token comes with a method that may change something.
 */
export function authenticateAdmin(
  { headers, method = "" }: Pick<IncomingMessage, "headers" | "method">,
  tokens: ApiTokens,
): string {
  checkSwitchedOn(tokens);
  const token = readBearer(headers.authorization);
  if (token === undefined)
    throw new SharedProblem("unauthorized", "Send an admin's token as Authorization: Bearer.", {
      headers: { "www-authenticate": "Bearer" },
    });
  const given = digestOf(token);
  const [isAdmin, isViewer] = [isAmong(tokens.admin, given), isAmong(tokens.view, given)];
  if (!isAdmin && !isViewer)
    throw new SharedProblem("unauthorized", "The token is not valid.", {
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
    });
  if (!isAdmin && method !== "GET" && method !== "HEAD")
    throw new SharedProblem("view_only", "This token can view and cannot change anything. Use an admin's token.", {
      headers: { "www-authenticate": 'Bearer error="insufficient_scope"' },
    });
  return `token:${given.toString("hex", 0, 6)}`;
}

/** Throws a `SharedProblem` when no token is configured. */
export function checkSwitchedOn({ admin, view }: ApiTokens): void {
  if (admin.length + view.length === 0)
    throw new SharedProblem("api_off", "Set AGENT_ADMIN_TOKENS to switch it on: nobody is let in without a token.");
}

function isAmong(tokens: readonly string[], given: Buffer): boolean {
  let found = false;
  for (const digest of tokens.map(digestOf)) if (timingSafeEqual(digest, given)) found = true;
  return found;
}
