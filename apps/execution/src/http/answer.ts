import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { ZoneError } from "@crosszone/contracts";
import { errorToJson } from "@crosszone/jsonrpc";
import type { BadRequestAnswer } from "@crosszone/service-kit";

/** Ends a response with JSON text. Written by hand: no ETag is computed for an answer that nobody caches. */
export function answerJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
}

/** The JSON-RPC answer, as text, to something that never became a request: `id` is null. */
export function refusalText(error: ZoneError, correlationId: string = randomUUID()): string {
  return JSON.stringify({ jsonrpc: "2.0", error: errorToJson(error, correlationId), id: null });
}

/** The body for requests that HTTP itself could not read: they are told in JSON-RPC too. */
export function httpBadRequest(): BadRequestAnswer {
  return { contentType: "application/json", body: refusalText(new ZoneError("invalid_request")) };
}
