import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { cpuCommands } from "../process/cpu-commands.ts";
import { serveCommands } from "../process/serve-commands.ts";
import { createPeer } from "./create-peer.ts";
import type { Mode, PeerName } from "./peers.ts";

/** A day, as the zone's own. */
const dayMs = 86_400_000;

const [name, mode, url, retentionMs = dayMs] = process.argv.slice(2) as [PeerName, Mode, string, string?];
const { server, commits } = await createPeer(name, { mode, url, retentionMs: Number(retentionMs) });
server.keepAliveTimeout = 65_000;
const delay = monitorEventLoopDelay({ resolution: 1 });

/** What a server's process takes at a moment. */
export interface Footing {
  readonly rss: number;
  readonly heap: number;
  /** Of 100 moments 99 were less late than this since it was asked last, milliseconds. */
  readonly delayP99Ms: number;
}

/** The process of one server, which says itself how much CPU time it took. */
serveCommands({
  ...cpuCommands(),
  listen: async (): Promise<string> => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`;
  },
  /** Transactions since the last time. */
  commits,
  footing: (): Footing => {
    const { rss, heapUsed: heap } = process.memoryUsage();
    const delayP99Ms = delay.percentile(99) / 1e6;
    delay.reset();
    delay.enable();
    return { rss, heap, delayP99Ms };
  },
});
