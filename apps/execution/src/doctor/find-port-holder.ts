import { once } from "node:events";
import { createServer } from "node:net";
import { isJsonRpcResponse } from "@crosszone/contracts";
import { Agent, request } from "undici";
import type { FindPortHolder } from "./check-port.ts";

/** Listens for a moment. If the port is in use, sends a request that only this zone answers in its own way. */
export const findPortHolder: FindPortHolder = async ({ host, port, rpcPath }) => {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    return "nobody";
  } catch (error) {
    const { code = "FAILED" } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE") return { refused: code };
    return (await isThisZone(host, port, rpcPath)) ? "this_zone" : "somebody";
  } finally {
    server.close();
  }
};

/**
 * The zone refuses a GET on its JSON-RPC path with a JSON-RPC error; hardly any other program does. Tries both schemes.
 */
async function isThisZone(host: string, port: number, rpcPath: string): Promise<boolean> {
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const answers = ["http", "https"].map((scheme) => answersAsZone(`${scheme}://${name}:${port}${rpcPath}`));
  return (await Promise.all(answers)).includes(true);
}

async function answersAsZone(url: string): Promise<boolean> {
  // The request carries no secrets, and the certificate doesn't name this machine.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const { body } = await request(url, { signal: AbortSignal.timeout(3_000), dispatcher });
    return isJsonRpcResponse(await body.json());
  } catch {
    return false;
  } finally {
    await dispatcher.destroy();
  }
}
