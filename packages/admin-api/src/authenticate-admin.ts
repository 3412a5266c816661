import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { readBearer } from "@crosszone/service-kit";
import { SharedProblem } from "./api-problem.ts";

/** The tokens that the API accepts. Without any, the API is off. */
export interface ApiTokens {
  /** Every method is allowed. */
  readonly admin: readonly string[];
  /** GET and HEAD are allowed. A token in both lists counts as an admin token. */
  readonly view: readonly string[];
}

const digestOf = (token: string): Buffer => hash("sha256", `agent admin ${token}`, "buffer");

/**
 * Authenticates a request. Returns a name for the caller, used by limits and the audit trail: a digest that does not reveal the token.
 * Compares every token in constant time. Throws a `SharedProblem` when the token is unknown, when no token is configured, and when a view
 * token is used with a method that can change something.
 */
export function authenticateAdmin({ headers, method = "" }: IncomingMessage, tokens: ApiTokens): string {
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
    throw new SharedProblem("view_only", "This token can only read. To change something, use one of ADMIN_TOKENS.", {
      headers: { "www-authenticate": 'Bearer error="insufficient_scope"' },
    });
  return `token:${given.toString("hex", 0, 6)}`;
}

/** Throws a `SharedProblem` when no token is configured. */
export function checkSwitchedOn({ admin, view }: ApiTokens): void {
  if (admin.length + view.length === 0)
    throw new SharedProblem("api_off", "No token is configured. Set ADMIN_TOKENS to turn the API on.");
}

function isAmong(tokens: readonly string[], given: Buffer): boolean {
  let found = false;
  for (const digest of tokens.map(digestOf)) if (timingSafeEqual(digest, given)) found = true;
  return found;
}
