import type { IncomingMessage } from "node:http";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { defaultLimits } from "@crosszone/jsonrpc";
import { arrivingBytes, ByteBudget, readRequestBody, Refused, senderOf } from "@crosszone/service-kit";
import { ApiProblem, refuseProblem } from "./api-problem.ts";

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

/** Reads a JSON body in UTF-8. Throws an `ApiProblem` or a `Refused` for any other. */
export async function readJsonBody(request: IncomingMessage, { maxBytes, types }: BodyRules): Promise<unknown> {
  const accept = { [request.method === "PATCH" ? "accept-patch" : "accept-post"]: types.join(", ") };
  const held = arriving.open(senderOf(request).address);
  const rules = { maxBytes, types, accept, held, refuse: refuseProblem };
  const bytes = await readRequestBody(request, rules).finally(held.close);
  if (bytes === "gone") throw new ApiProblem("malformed_request", "The body ended before its length.");
  if (!Buffer.isBuffer(bytes)) throw new Refused(bytes);
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
