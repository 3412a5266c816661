import type { IncomingMessage } from "node:http";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { defaultLimits } from "@crosszone/jsonrpc";
import { readBody } from "@crosszone/service-kit";
import { SharedProblem } from "./api-problem.ts";

export interface BodyRules {
  /** Largest body, bytes. */
  readonly maxBytes: number;
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
  try {
    return parseExactJson(bytes, { maxDepth });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { kind, message, problems } = error;
    throw new SharedProblem(kind === "number" ? "invalid_value" : "malformed_request", `The body ${message}.`, {
      problems,
    });
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
