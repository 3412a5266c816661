import { isJsonRpcResponse, type JsonRpcResponse } from "@crosszone/contracts";
import { errorFromJson } from "./error-from-json.ts";
import { LinkError } from "./link-error.ts";
import { decodeUtf8 } from "./utf8.ts";

/**
 * Reads the response to the request `id` and returns its result. Throws the error of `errorFromJson` for an error response, and a
 * `LinkError` `invalid_response` for anything else. An error may have the id null, if the server could not read the request.
 * https://www.jsonrpc.org/specification#response_object
 */
export function readAnswer(bytes: Uint8Array, id: string): unknown {
  const answer = readResponse(bytes);
  if (answer.id !== id && !("error" in answer && answer.id === null))
    throw new LinkError("invalid_response", "the answer has the id of another request");
  if ("error" in answer) throw errorFromJson(answer.error);
  return answer.result;
}

/** Parses a response object. Throws a `LinkError` `invalid_response` for anything else. */
export function readResponse(bytes: Uint8Array): JsonRpcResponse {
  let answer: unknown;
  try {
    answer = JSON.parse(decodeUtf8(bytes));
  } catch (cause) {
    throw new LinkError("invalid_response", "the answer is not JSON in UTF-8", { cause });
  }
  if (isJsonRpcResponse(answer)) return answer;
  throw new LinkError("invalid_response", "the answer is not a JSON-RPC 2.0 response");
}
