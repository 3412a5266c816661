import { setTimeout as wait } from "node:timers/promises";
import { runSmall, withServer, type Bench } from "./measure-peer.ts";
import { peers, requestOf, type Subject } from "./plan.ts";

/** How often the disk was flushed for a request, at 100 connections. */
export interface FlushCount extends Subject {
  readonly flushesPerRequest: number;
}

/**
 * Counts in a separate run. PostgreSQL reports the flushes of its log after the server and its connections are gone; SQLite flushes at each
 * commit.
 */
export function countFlushes(subject: Subject, { load, databases }: Bench): Promise<FlushCount> {
  return withServer(subject, { databases }, async ({ worker, database }) => {
    await load.call("open", { url: await worker.call<string>("listen"), connections: 100 });
    const before = await database.flushes();
    await worker.call("commits");
    const { requests } = await runSmall(load, subject, { ms: 1_500, requests: 5_000 });
    await load.call("close");
    const commits = await worker.call<number>("commits");
    await worker.stop();
    const flushes = before === undefined ? commits : ((await database.flushes()) ?? 0) - before;
    return { ...subject, flushesPerRequest: flushes / requests };
  });
}

/** What a crash left of the tasks that were acknowledged before it. */
export interface KillResult extends Subject {
  readonly acknowledged: number;
  /** Acknowledged tasks for which the server returns no result: neither working nor answered. */
  readonly lost: number;
}

/**
 * Kills a server in the middle of a load of 100 connections, with PostgreSQL if that keeps its tasks; starts them again and requests every
 * acknowledged task.
 */
export function surviveKill(subject: Subject, { load, databases }: Bench): Promise<KillResult> {
  return withServer(subject, { databases }, async ({ worker, start }) => {
    await load.call("open", { url: await worker.call<string>("listen"), connections: 100 });
    await runSmall(load, subject, { ms: 300 });
    const { dialect, headers } = requestOf(subject);
    const loading = load.call<string[]>("runUntilClosed", { dialect, headers, size: "300 B" });
    await wait(200 + Math.random() * 400);
    await worker.kill();
    if (peers[subject.peer].engine === "postgres") await databases.crashPostgres();
    const acknowledged = await loading;
    await load.call("close");
    if (acknowledged.length === 0) throw new Error(`${subject.peer} acknowledged nothing before it was killed`);
    const lost = await countLost(await start().call<string>("listen"), headers, acknowledged);
    return { ...subject, acknowledged: acknowledged.length, lost };
  });
}

/** Requests each task, fifty at a time; counts those that are neither working nor answered. */
async function countLost(
  url: string,
  headers: Readonly<Record<string, string>>,
  taskIds: readonly string[],
): Promise<number> {
  const rest = [...taskIds];
  let lost = 0;
  const requestNext = async (): Promise<void> => {
    for (let task_id = rest.pop(); task_id !== undefined; task_id = rest.pop()) {
      const method = "get_async_task_result";
      const body = JSON.stringify({ jsonrpc: "2.0", method, params: { task_id }, id: task_id });
      const request = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
      const answer = (await (await fetch(url, request)).json()) as { result?: object };
      if (answer.result === undefined) lost += 1;
    }
  };
  await Promise.all(Array.from({ length: 50 }, requestNext));
  return lost;
}
