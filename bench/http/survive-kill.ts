import { setTimeout as wait } from "node:timers/promises";
import { withServer, type Bench } from "./measure.ts";
import { engineOf, servers, type ServerName } from "./servers.ts";

/** What a crash left of the tasks that were acknowledged before it. */
export interface KillResult {
  readonly server: ServerName;
  readonly acknowledged: number;
  /** Acknowledged tasks for which the server returns no result: neither working nor answered. */
  readonly lost: number;
}

/**
 * Kills a server in the middle of a load of 100 connections, with PostgreSQL if that keeps its tasks; starts them again and requests every
 * acknowledged task.
 */
export function surviveKill(server: ServerName, bench: Bench): Promise<KillResult> {
  const { load, databases } = bench;
  return withServer(server, databases, async (worker, start) => {
    await load.call("open", { url: await worker.call<string>("listen"), connections: 100 });
    const { dialect, headers } = servers[server];
    const loading = load.call<string[]>("runUntilClosed", { dialect, headers });
    await wait(500 + Math.random() * 500);
    await worker.kill();
    if (engineOf(server) === "postgres") await databases.crashPostgres();
    const acknowledged = await loading;
    await load.call("close");
    if (acknowledged.length === 0) throw new Error(`${server} acknowledged nothing before it was killed`);
    const lost = await countLost(await start().call<string>("listen"), headers, acknowledged);
    return { server, acknowledged: acknowledged.length, lost };
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
