import { readAtMost } from "@crosszone/service-kit";
import { request } from "undici";

/** Thrown if a token is unavailable. The message has the source and its response, but never a token. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

const timeoutMs = 5_000;
const maxBytes = 65_536;

/** Requests a token from a cloud's local token service. Resolves with the body of a 200 response; rejects with a `TokenError` otherwise. */
export async function getToken(url: URL, headers: Readonly<Record<string, string>>): Promise<string> {
  const where = `${url.host}${url.pathname}`;
  try {
    const { statusCode, body } = await request(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    const bytes = await readAtMost(body, maxBytes);
    if (bytes === "too_large") throw new TokenError(`${where} returned more than ${maxBytes} bytes`);
    const text = Buffer.from(bytes).toString().trim();
    if (statusCode !== 200) throw new TokenError(`${where} responded with ${statusCode}: ${text.slice(0, 300)}`);
    return text;
  } catch (error) {
    if (error instanceof TokenError) throw error;
    throw new TokenError(`${where} did not respond`, { cause: error });
  }
}
