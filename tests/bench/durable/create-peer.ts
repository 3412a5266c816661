import type { Server } from "node:http";
import { openTaskStore } from "@crosszone/execution";
import { createGroupCommit, type CommitGroup } from "@crosszone/sql";
import { createExecutionServer } from "../servers/crosszone-execution.ts";
import { peers, token, type Mode, type PeerName } from "./peers.ts";

/** A server, and how many transactions it has had since it was asked last, if it knows. */
export interface PeerServer {
  readonly server: Server;
  readonly commits: () => number;
}

/** Makes a peer's server on its database. */
export async function createPeer(
  name: PeerName,
  { mode, url, retentionMs }: { readonly mode: Mode; readonly url: string; readonly retentionMs: number },
): Promise<PeerServer> {
  const { protocol, engine, grouped } = peers[name];
  if (protocol === "a2a") {
    const { createA2aDatabaseServer } = await import("./a2a-database-server.ts");
    return { server: await createA2aDatabaseServer(url), commits: () => Number.NaN };
  }
  // A closed loop may be ahead of the ends of its tasks.
  const limits = { syncWindowMs: mode === "accepted" ? 0 : 5_000, maxRunning: 10_000, retentionEveryMs: 1_000 };
  if (engine === "memory") return { server: createExecutionServer(token, limits), commits: () => 0 };

  let count = 0;
  const { store, jobs } = await openTaskStore({
    url,
    retentionMs,
    group: grouped ? createGroupCommit : alone,
    observer: { committed: () => void count++ },
  });
  const commits = (): number => {
    const since = count;
    count = 0;
    return since;
  };
  return { server: createExecutionServer(token, { store, jobs, ...limits }), commits };
}

/** In place of group commit: each item has a transaction of its own. */
function alone<Item, Result>(commit: CommitGroup<Item, Result>): (item: Item) => Promise<Result> {
  return async (item) => (await commit([item]))[0] as Result;
}
