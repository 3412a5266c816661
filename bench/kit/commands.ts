import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What a worker can be called for, by name. */
export type Commands = Record<string, (argument: never) => unknown>;

/** A call of a worker and its reply, as they travel between the processes. */
export interface Call {
  readonly id: number;
  readonly command: string;
  readonly argument: unknown;
}
export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

/** Replies to the parent process, and ends with it: a worker never outlives the benchmark. */
export function serveCommands(commands: Commands): void {
  process.on("disconnect", () => process.exit());
  process.on("message", ({ id, command, argument }: Call) => {
    const reply = (message: Reply): void => void process.send?.(message);
    const run = (): unknown => {
      const known = commands[command];
      if (known === undefined) throw new Error(`unknown command ${command}`);
      return known(argument as never);
    };
    Promise.try(run).then(
      (value) => reply({ id, value }),
      (error: unknown) => reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}

/** Measures the CPU time of this process from now on, with all its threads and its work in the kernel. Returns how to read it, microseconds. */
export function startCpu(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
}

/** Listens on a free port of loopback and returns the origin. Idle connections outlive a round. */
export async function listen(server: Server): Promise<string> {
  server.keepAliveTimeout = 65_000;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
