import type { IncomingMessage } from "node:http";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { defaultLimits } from "@crosszone/jsonrpc";
import { arrivingBytes, ByteBudget, readBody, senderOf } from "@crosszone/service-kit";
import { ApiProblem } from "./api-problem.ts";

interface BodyRules {
  /** Largest body, bytes. */
  readonly maxBytes: number;
  /** The media types of the body. */
  readonly types: readonly string[];
}

const { maxDepth } = defaultLimits;

/** What bodies hold until they have arrived. */
const arriving = new ByteBudget(arrivingBytes);

/** Whether a request has no body. */
export function isEmpty({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
}

/** Reads a JSON body in UTF-8. Throws an `ApiProblem` for any other. */
export async function readJsonBody(request: IncomingMessage, { maxBytes, types }: BodyRules): Promise<unknown> {
  if (!isReadable(request, types)) {
    const message = `Send ${types.join(" or ")} in UTF-8, not compressed.`;
    const accept = request.method === "PATCH" ? "accept-patch" : "accept-post";
    throw new ApiProblem("content_type", message, { headers: { [accept]: types.join(", ") } });
  }
  const held = arriving.open(senderOf(request).address);
  const bytes = await readBody(request, maxBytes, held).finally(held.close);
  if (bytes === "no_room")
    throw new ApiProblem("busy", "Other bodies are being received.", { headers: { "retry-after": "1" } });
  if (bytes === "too_large") throw new ApiProblem("too_large", `Send at most ${maxBytes} bytes.`);
  if (bytes === "aborted") throw new ApiProblem("malformed_request", "The body ended before its length.");
  try {
    return parseExactJson(bytes, { maxDepth });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { kind, message, problems } = error;
    throw new ApiProblem(kind === "number" ? "invalid_value" : "malformed_request", `The body ${message}.`, {
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
