import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** The systems choose ports from 32768 for connections and servers that name none. */
const [lowest, beyond] = [10_000, 32_000];

/** Returns a free port of 127.0.0.1 that no connection takes before the caller listens. */
export async function freePort(): Promise<number> {
  const port = randomInt(lowest, beyond);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
