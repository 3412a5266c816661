import type { ServerResponse } from "node:http";

/** Ends a response with JSON. */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  answer(response, status, { contentType: "application/json", body: JSON.stringify(body) });
}

/** Ends a response with a body of any kind. */
export function answer(
  response: ServerResponse,
  status: number,
  { contentType, body }: { readonly contentType: string; readonly body: string },
): void {
  response.writeHead(status, {
    "content-type": contentType,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}
