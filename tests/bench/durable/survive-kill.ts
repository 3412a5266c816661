import { setTimeout as wait } from "node:timers/promises";
import { spawnWorker, type Worker } from "../process/spawn-worker.ts";
import { runLoad, type Bench, type Subject } from "./measure-peer.ts";
import { askingOf, peers } from "./peers.ts";

/** What became of the tasks that were acknowledged before a crash. */
export interface KillResult extends Subject {
  readonly acknowledged: number;
  /** Of those, the ones that the server does not say a result of: neither working nor answered. */
  readonly lost: number;
}

/**
 * Kills a server in the middle of a load of 100 connections, with PostgreSQL if that keeps its tasks, starts them again and asks
 * for every task that was acknowledged.
 */
export async function surviveKill(subject: Subject, { load, databases }: Bench): Promise<KillResult> {
  const { peer, mode } = subject;
  const { engine } = peers[peer];
  const database = await databases.create(engine);
  const start = (): Worker => spawnWorker("durable/peer-worker.ts", [peer, mode, database.url], { side: "server" });
  let worker = start();
  try {
    const url = await worker.ask<string>("listen");
    await load.ask("open", { url, connections: 100 });
    await runLoad(load, subject, { size: "300 B", until: { ms: 300 } });
    const { dialect, headers } = askingOf(peers[peer], mode);
    const loading = load.ask<string[]>("runUntilClosed", { dialect, headers, size: "300 B" });
    await wait(200 + Math.random() * 400);
    await worker.kill();
    if (engine === "postgres") await databases.crashPostgres();
    const acknowledged = await loading;
    await load.ask("close");
    if (acknowledged.length === 0) throw new Error(`${peer} acknowledged nothing before it was killed`);
    worker = start();
    const lost = await countLost(await worker.ask<string>("listen"), headers, acknowledged);
    return { ...subject, acknowledged: acknowledged.length, lost };
  } finally {
    await worker.stop();
    await database.drop();
  }
}

/** Asks for each task, fifty at a time; counts those that are neither working nor answered. */
async function countLost(
  url: string,
  headers: Readonly<Record<string, string>>,
  taskIds: readonly string[],
): Promise<number> {
  const rest = [...taskIds];
  let lost = 0;
  const askOn = async (): Promise<void> => {
    for (let task_id = rest.pop(); task_id !== undefined; task_id = rest.pop()) {
      const body = JSON.stringify({
        jsonrpc: "2.0",
        method: "get_async_task_result",
        params: { task_id },
        id: task_id,
      });
      const request = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
      const answer = (await (await fetch(url, request)).json()) as { result?: object };
      if (answer.result === undefined) lost += 1;
    }
  };
  await Promise.all(Array.from({ length: 50 }, askOn));
  return lost;
}
