import { monitorEventLoopDelay } from "node:perf_hooks";
import { cpuCommands } from "../process/cpu-commands.ts";
import { listenCommand } from "../process/listen-command.ts";
import { serveCommands } from "../process/serve-commands.ts";
import { createPeer } from "./create-peer.ts";
import type { Mode, PeerName } from "./peers.ts";

/** A day, as the zone's own. */
const dayMs = 86_400_000;

const [name, mode, url, retentionMs = dayMs] = process.argv.slice(2) as [PeerName, Mode, string, string?];
const { server, commits } = await createPeer(name, { mode, url, retentionMs: Number(retentionMs) });
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
  ...listenCommand(server),
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
