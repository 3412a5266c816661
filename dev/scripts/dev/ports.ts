import { createServer } from "node:net";
import type { Service } from "./environment.ts";

/** Returns the services whose port is already in use. */
export async function portsInUse(services: readonly Service[]): Promise<Service[]> {
  const free = await Promise.all(services.map(({ port }) => isFree(port)));
  return services.filter((_, index) => !free[index]);
}

/** Returns true if no process listens on a port of loopback. */
export async function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer()
    .once("error", () => resolve(false))
    .listen({ port, host: "127.0.0.1", exclusive: true }, () => probe.close(() => resolve(true)));
  return promise;
}
