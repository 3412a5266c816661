import type { Server } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openTaskStore } from "@crosszone/execution";
import { createGroupCommit, type CommitGroup } from "@crosszone/sql";
import { createExecutionServer } from "../http/servers/crosszone-execution.ts";
import { token } from "../http/servers.ts";
import { cpuCommands, listen, serveCommands } from "../kit/commands.ts";
import { peers, type Subject } from "./plan.ts";

/** A server of one peer, started with these arguments. */
export interface PeerServerPlan extends Subject {
  readonly url: string;
  /** How long finished tasks are kept, milliseconds. */
  readonly retentionMs: number;
}

/** What a server's process uses at a moment. */
export interface Footprint {
  readonly rss: number;
  readonly heap: number;
  /** How late the event loop was since the last call, milliseconds. */
  readonly delayP99Ms: number;
}

let commitCount = 0;

async function createServer({ peer, mode, url, retentionMs }: PeerServerPlan): Promise<Server> {
  const { protocol, engine, grouped } = peers[peer];
  if (protocol === "a2a") return (await import("./a2a-database-server.ts")).createA2aDatabaseServer(url);
  // A closed loop may be ahead of the ends of its tasks.
  const limits = { syncWindowMs: mode === "accepted" ? 0 : 5_000, maxRunning: 10_000, retentionEveryMs: 1_000 };
  if (engine === "memory") return createExecutionServer(token, limits);
  const { store, jobs } = await openTaskStore({
    url,
    retentionMs,
    group: grouped ? createGroupCommit : commitEach,
    observer: { committed: () => void commitCount++ },
  });
  return createExecutionServer(token, { store, jobs, ...limits });
}

/** Replaces group commit: each item has its own transaction. */
function commitEach<Item, Result>(commit: CommitGroup<Item, Result>): (item: Item) => Promise<Result> {
  return async (item) => (await commit([item]))[0] as Result;
}

const server = await createServer(JSON.parse(process.argv[2] ?? "") as PeerServerPlan);
const delay = monitorEventLoopDelay({ resolution: 1 });

/** The process of one server, which measures its own CPU time. */
serveCommands({
  ...cpuCommands(),
  listen: async () => `${await listen(server)}/rpc`,
  /** Returns the transactions since the last call, of servers that count them. */
  commits: () => {
    const since = commitCount;
    commitCount = 0;
    return since;
  },
  footprint: (): Footprint => {
    const { rss, heapUsed: heap } = process.memoryUsage();
    const delayP99Ms = delay.percentile(99) / 1e6;
    delay.reset();
    delay.enable();
    return { rss, heap, delayP99Ms };
  },
});
