import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createSwitchboard, type Switchboard } from "./faults/switchboard.ts";
import { createHttpApp } from "./http/create-http-app.ts";
import { samples } from "./samples/samples.ts";

/**
 * Returns the file of settings with the sample agents at a server's URL. JSON strings are valid YAML. https://yaml.org/spec/1.2.2/#13-terminology
 */
export function agentsFile(url: string): string {
  const entries = samples.flatMap(({ name, protocol, description, sideEffects = false }) => [
    `  - name: ${name}`,
    `    url: ${url}/${name}`,
    `    protocol: ${protocol}`,
    `    description: ${JSON.stringify(description)}`,
    ...(sideEffects ? ["    side_effects: true"] : []),
  ]);
  return ["# The sample agents of dev/agents.", "agents:", ...entries, ""].join("\n");
}

/** Options of the sample agents; all are optional. */
export interface DevAgentsOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Delay of the fault `slow`, milliseconds. Default 3,000. */
  readonly slowMs?: number;
  /** Duration of a long-running task, milliseconds. Default 1,500. */
  readonly taskMs?: number;
}

/** The sample agents, running. */
export interface DevAgents {
  /** Without a trailing slash; an agent is at `<url>/<name>`. */
  readonly url: string;
  /** The contents of a file for EXECUTION_FILE. AGENT_ORIGINS must contain `url`. */
  readonly file: string;
  /** Returns the switchboard of an agent. Throws an `Error` for an unknown name. */
  readonly control: (name: string) => Switchboard;
  /** Stops the server and open connections. */
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
