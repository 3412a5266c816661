import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { agentsFile } from "./agents-file.ts";
import { createSwitchboard, type Switchboard } from "./faults/switchboard.ts";
import { createHttpApp } from "./http/create-http-app.ts";
import { samples } from "./samples/samples.ts";

/** How sample agents are started; nothing of it is needed. */
export interface DevAgentsOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** How late the fault `slow` is, milliseconds. Default 3,000. */
  readonly slowMs?: number;
  /** How long a task takes that is followed, milliseconds. Default 1,500. */
  readonly taskMs?: number;
}

/** The sample agents, running. */
export interface DevAgents {
  /** Without a slash at the end; an agent is at `<url>/<name>`. */
  readonly url: string;
  /** The contents of a file for AGENTS_FILE; AGENT_ORIGINS must have `url` then. */
  readonly file: string;
  /** How an agent fails, and what it was asked. Throws an `Error` for a name that is none. */
  readonly control: (name: string) => Switchboard;
  /** Ends the server and what hangs on it. */
  readonly close: () => Promise<void>;
}

/** Starts the sample agents on 127.0.0.1. Rejects when the port is taken (`EADDRINUSE`). */
export async function startDevAgents({
  port = 0,
  slowMs = 3_000,
  taskMs = 1_500,
}: DevAgentsOptions = {}): Promise<DevAgents> {
  const switchboards = new Map(samples.map(({ name }) => [name, createSwitchboard()]));
  const server = createServer();
  const url = await listen(server, port);
  server.on("request", createHttpApp({ url, switchboards, times: { slowMs, taskMs } }));
  return {
    url,
    file: agentsFile(url),
    control: (name) => {
      const switchboard = switchboards.get(name);
      if (switchboard === undefined) throw new Error(`There is no sample agent "${name}".`);
      return switchboard;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
