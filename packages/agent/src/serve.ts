import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentOptions, Handler } from "./agent-definition.ts";
import { createAgent, type Agent } from "./create-agent.ts";

export interface ServeOptions extends AgentOptions {
  /** Default: the variable PORT, otherwise 8090. 0 is any free port. */
  readonly port?: number;
  /** Default: the variable HOST, otherwise 127.0.0.1. Use 0.0.0.0 in a container. */
  readonly host?: string;
  /** How long tasks may take to end after SIGTERM, milliseconds (default 25 seconds). */
  readonly stopTimeoutMs?: number;
}

/** An agent that listens. */
export interface RunningAgent {
  readonly url: string;
  /** Refuses new tasks, waits until tasks have ended, at most `stopTimeoutMs`, and closes. */
  readonly stop: () => Promise<void>;
}

/**
 * Serves an agent and prints its URL. SIGTERM and SIGINT stop it: tasks that work may end, then the process exits. A
 * second signal exits at once. Rejects when the port is in use, and with a `TypeError` for invalid options.
 */
export async function serve(options: ServeOptions, handler: Handler): Promise<RunningAgent> {
  const agent = createAgent(options, handler);
  const host = options.host ?? (process.env["HOST"] || "127.0.0.1");
  const port = options.port ?? portOf(process.env["PORT"]);
  const server = createServer({ requestTimeout: 60_000 }, agent.listener);
  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    throw isInUse(error) ? new Error(`Port ${port} is in use. Set PORT to another one.`, { cause: error }) : error;
  });
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const url = `http://${shown.includes(":") ? `[${shown}]` : shown}:${(server.address() as AddressInfo).port}`;
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= close(server, agent, options.stopTimeoutMs ?? 25_000));
  const onSignal = (): void => {
    if (stopping) process.exit(1);
    void stop().then(() => process.exit(0));
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  server.on("close", () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, onSignal);
  });
  process.stdout.write(`Listening on ${url}\n`);
  return { url, stop };
}

/** Clients can still read tasks while the last ones end. */
async function close(server: Server, agent: Agent, timeoutMs: number): Promise<void> {
  await Promise.race([agent.drain(), new Promise((resolve) => void setTimeout(resolve, timeoutMs).unref())]);
  const closed = once(server, "close");
  server.close();
  setTimeout(() => server.closeAllConnections(), 1_000).unref();
  await closed;
}

function portOf(text: string | undefined): number {
  if (text === undefined || text === "") return 8090;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new TypeError(`Expected PORT to be a number of 0 to 65535, got ${JSON.stringify(text)}.`);
}

const isInUse = (error: unknown): boolean => (error as { code?: unknown }).code === "EADDRINUSE";
