import { Agent, request } from "undici";
import type { ClientTls } from "../transport/credentials/client-certificate.ts";

/** Sends a well-formed request without credentials; gives the HTTP status of the answer, or nothing when none came. */
export type Knock = (url: string) => Promise<number | undefined>;

/** The request of the doctor itself, which asks for nothing that anybody could want. */
const message = JSON.stringify({ jsonrpc: "2.0", method: "list_agents", params: {}, id: "doctor" });

/** Knocks by HTTP, within five seconds. Of one's own certificates only the authority is used: the point is to bring nothing. */
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
