import { readAtMost } from "@crosszone/service-kit";
import { request } from "undici";

/** A token could not be had. The message says where from, and what was answered; never a token. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

const timeoutMs = 5_000;
const maxBytes = 65_536;

/** Asks a cloud's own token service, which is near and answers at once. Gives the text of a 200; anything else is a `TokenError`. */
export async function getToken(url: URL, headers: Readonly<Record<string, string>>): Promise<string> {
  const where = `${url.host}${url.pathname}`;
  try {
    const { statusCode, body } = await request(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    const bytes = await readAtMost(body, maxBytes);
    if (bytes === "too_large") throw new TokenError(`${where} answered more than ${maxBytes} bytes`);
    const text = Buffer.from(bytes).toString().trim();
    if (statusCode !== 200) throw new TokenError(`${where} answered ${statusCode}: ${text.slice(0, 300)}`);
    return text;
  } catch (error) {
    if (error instanceof TokenError) throw error;
    throw new TokenError(`${where} did not answer`, { cause: error });
  }
}
