import { request } from "node:http";
import { text } from "node:stream/consumers";

/** Sends a request exactly as given, including a path or a Host header that `fetch` would normalise. */
export async function rawRequest(
  url: string,
  options: { path?: string; method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const call = request(url, { agent: false, ...options }, (response) => {
    text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
  });
  call.on("error", reject);
  call.end();
  return await promise;
}
