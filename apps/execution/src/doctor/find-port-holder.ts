import { once } from "node:events";
import { createServer } from "node:net";
import { isJsonRpcResponse } from "@crosszone/contracts";
import { Agent, request } from "undici";
import type { FindPortHolder } from "./check-port.ts";

/** Listens for a moment; when the port is taken, asks whoever has it for what only this zone would answer. */
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

/** A GET where JSON-RPC is served is refused in JSON-RPC, by this zone and hardly by anything else. It may serve either scheme. */
async function isThisZone(host: string, port: number, rpcPath: string): Promise<boolean> {
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const answers = ["http", "https"].map((scheme) => answersAsZone(`${scheme}://${name}:${port}${rpcPath}`));
  return (await Promise.all(answers)).includes(true);
}

async function answersAsZone(url: string): Promise<boolean> {
  // Nothing is sent that anybody could want, and the name in the certificate is not this machine's.
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
