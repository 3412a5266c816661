import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** The contract's form of correlation ids: one line of printable ASCII without spaces, so that an id can't forge a log line. */
const valid = /^[\x21-\x7e]{1,128}$/;

const id: unique symbol = Symbol("request id");

/**
 * Returns the id of a request in logs: a valid `x-request-id` header, otherwise a new UUID. Always the same for one response. Stored on the
 * response itself, because `setHeader` would cost more than all other headers together.
 */
export function requestIdOf(response: ServerResponse & { [id]?: string }): string {
  return (response[id] ??= given(response.req) ?? randomUUID());
}

function given({ headers }: IncomingMessage): string | undefined {
  const header = headers["x-request-id"];
  return typeof header === "string" && valid.test(header) ? header : undefined;
}
