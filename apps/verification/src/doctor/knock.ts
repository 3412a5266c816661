import { request } from "undici";
import type { Knock } from "./check-execution-locked.ts";

/** The request of the doctor itself, which asks for nothing that anybody could want. */
const message = JSON.stringify({ jsonrpc: "2.0", method: "list_agents", params: {}, id: "doctor" });

/** Knocks by HTTP, within five seconds. */
export const knock: Knock = async (url) => {
  try {
    const { statusCode, body } = await request(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: message,
      signal: AbortSignal.timeout(5_000),
    });
    await body.dump();
    return statusCode;
  } catch {
    return undefined;
  }
};
