import { once } from "node:events";
import { createServer } from "node:net";
import { isJsonRpcResponse } from "@crosszone/contracts";
import { type Check, failed, passed, skipped, warned } from "@crosszone/ops/doctor";
import { Agent, request } from "undici";

/**
 * What holds a port: nothing, this zone, or another program. `refused` is the system's error code when the port can't
 * be tried.
 */
export type PortHolder = "free" | "this_zone" | "other" | { readonly refused: string };

/** Where the zone will listen. */
export interface PortPlan {
  readonly host: string;
  readonly port: number;
  /** The variable that sets the port. */
  readonly portVariable: string;
  /** The path of JSON-RPC, by which the check recognizes the zone. */
  readonly rpcPath: string;
}

/** Finds what holds a port. Releases the port again. */
export type FindPortHolder = (plan: Pick<PortPlan, "host" | "port" | "rpcPath">) => Promise<PortHolder>;

/** Checks that the zone can listen on the configured host and port. */
export function checkPort(planned: () => PortPlan, find: FindPortHolder): Check {
  return {
    name: "port",
    reads: ["HOST_PROFILE", "EXECUTION_HOST", "EXECUTION_PORT", "PORT"],
    run: async () => {
      const plan = planned();
      const { host, port, portVariable } = plan;
      if (port === 0) return skipped(`${portVariable} is 0: the system chooses a free port`);
      const holder = await find(plan);
      if (holder === "free") return passed(`${host} port ${port} is free`);
      if (holder === "this_zone") return passed(`the zone already listens on ${host} port ${port}`);
      if (holder === "other")
        return failed(`another program listens on ${host} port ${port}`, `Stop it, or set ${portVariable}.`);
      const { refused } = holder;
      if (refused === "EACCES")
        return failed(
          `port ${port} needs more permissions than this process has`,
          `Set ${portVariable} to 1024 or above.`,
        );
      if (refused === "EADDRNOTAVAIL" || refused === "ENOTFOUND")
        return failed(`${host} is not an address of this machine`, "Set EXECUTION_HOST to an address of this machine.");
      return warned(`${host} port ${port} couldn't be tried (${refused})`, `Check EXECUTION_HOST and ${portVariable}.`);
    },
  };
}

/** Listens for a moment. If the port is in use, sends a request that only this zone answers in its own way. */
export const findPortHolder: FindPortHolder = async ({ host, port, rpcPath }) => {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    return "free";
  } catch (error) {
    const { code = "FAILED" } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE") return { refused: code };
    return (await isThisZone(host, port, rpcPath)) ? "this_zone" : "other";
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
