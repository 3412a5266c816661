import { Agent, request } from "undici";
import type { ClientTls } from "../../zone-link/credentials/client-certificate.ts";

/** Sends a valid request without credentials; returns the HTTP status, or undefined without a response. */
export type Knock = (url: string) => Promise<number | undefined>;

/** The doctor's request, which reads nothing sensitive. */
const message = JSON.stringify({ jsonrpc: "2.0", method: "list_agents", params: {}, id: "doctor" });

/**
 * Makes an HTTP probe with a timeout of five seconds. It uses only the authority of the TLS files, because the request must carry no
 * credentials.
 */
export function createKnock(tls: () => ClientTls | undefined): Knock {
  return async (url) => {
    const ca = tls()?.ca;
    const dispatcher = new Agent({ connect: ca === undefined ? {} : { ca } });
    try {
      const { statusCode, body } = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: message,
        signal: AbortSignal.timeout(5_000),
        dispatcher,
      });
      await body.dump();
      return statusCode;
    } catch {
      return undefined;
    } finally {
      await dispatcher.destroy();
    }
  };
}
