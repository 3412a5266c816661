import { isJsonRpcResponse, type JsonRpcResponse } from "@crosszone/contracts";
import { errorFromJson } from "./error-from-json.ts";
import { LinkError } from "./link-error.ts";
import { decodeUtf8 } from "./utf8.ts";

/**
 * Reads the answer to the request `id` and gives its result. Throws what `errorFromJson` makes of an error, and `LinkError`
 * `invalid_response` for anything that is not the answer to this request. An error may have the id null, which is how a server
 * answers what it could not read or would not look at. https://www.jsonrpc.org/specification#response_object
 */
export function readAnswer(bytes: Uint8Array, id: string): unknown {
  const answer = readResponse(bytes);
  if (answer.id !== id && !("error" in answer && answer.id === null))
    throw new LinkError("invalid_response", "the answer has the id of another request");
  if ("error" in answer) throw errorFromJson(answer.error);
  return answer.result;
}

/** Reads a response object from its bytes. Throws `LinkError` `invalid_response` for anything else. */
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
