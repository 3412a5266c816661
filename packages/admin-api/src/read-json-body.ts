import type { IncomingMessage } from "node:http";
import { defaultLimits, opensDeeperThan } from "@crosszone/jsonrpc";
import { readBody } from "@crosszone/service-kit";
import { holdsInfinity, infinityAdvice } from "@crosszone/service-kit/json";
import { SharedProblem } from "./api-problem.ts";

/** Limits and media types of a request body. */
export interface BodyRules {
  /** Largest body, bytes. */
  readonly maxBytes: number;
  /** Accepted media types. */
  readonly types: readonly string[];
  /** The header that lists them in a 415 response. */
  readonly acceptHeader: "accept-post" | "accept-patch";
}

const { maxDepth } = defaultLimits;

/** Reads a JSON body in UTF-8. Throws a `SharedProblem` for any other. */
export async function readJsonBody(
  request: IncomingMessage,
  { maxBytes, types, acceptHeader }: BodyRules,
): Promise<unknown> {
  if (!isReadable(request, types)) {
    const message = `Send ${types.join(" or ")} in UTF-8, not compressed.`;
    throw new SharedProblem("content_type", message, { headers: { [acceptHeader]: types.join(", ") } });
  }
  const bytes = await readBody(request, maxBytes);
  if (bytes === "too_large") throw new SharedProblem("too_large", `Send at most ${maxBytes} bytes.`);
  if (bytes === "aborted") throw new SharedProblem("malformed_request", "The body ended before its length.");
  // Deep nesting would overflow the stack of code that walks the value.
  if (opensDeeperThan(bytes, maxDepth))
    throw new SharedProblem("malformed_request", `The body is nested in more than ${maxDepth} levels.`);
  const value = parse(bytes);
  if (holdsInfinity(value)) throw new SharedProblem("malformed_request", `The body ${infinityAdvice}.`);
  return value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new SharedProblem("malformed_request", "The body is not JSON in UTF-8.");
  }
}

function isReadable({ headers }: IncomingMessage, types: readonly string[]): boolean {
  const [type = "", ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  return (
    types.includes(type.trim()) &&
    parameters.every((parameter) => /^\s*charset="?utf-8"?\s*$/.test(parameter)) &&
    (headers["content-encoding"] ?? "identity").toLowerCase() === "identity"
  );
}
