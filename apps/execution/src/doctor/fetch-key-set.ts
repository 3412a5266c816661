import { z } from "zod";
import type { FetchKeySet } from "./check-key-set.ts";

/** https://www.rfc-editor.org/rfc/rfc7517#section-5 */
const keySet = z.object({ keys: z.array(z.object({ kty: z.string(), kid: z.string().default("") })) });

/** Fetches the key set over HTTP. Times out after five seconds. */
export const fetchKeySet: FetchKeySet = async (url) => {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(5_000) });
    return keySet.parse(await response.json()).keys.map(({ kid }) => kid);
  } catch {
    return undefined;
  }
};
