import { randomUUID } from "node:crypto";
import type { ZoneError } from "@crosszone/contracts";
import { errorToJson } from "@crosszone/jsonrpc";

/** Returns the JSON-RPC error, as text, for something that never became a request: `id` is null. */
export function refusalText(error: ZoneError, correlationId: string = randomUUID()): string {
  return JSON.stringify({ jsonrpc: "2.0", error: errorToJson(error, correlationId), id: null });
}
