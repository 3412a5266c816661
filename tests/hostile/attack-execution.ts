import { setTimeout as delay } from "node:timers/promises";
import { createHostileBodies } from "./hostile-bodies.ts";
import { sendBodies } from "./send-bodies.ts";
import { inWords, startWatched, type Memory } from "./zones.ts";
import { tune } from "@crosszone/testkit/tune";

/** Path of the JSON-RPC route on each kind of host. */
const rpcPaths: Readonly<Record<"plain" | "agentcore", string>> = { plain: "/rpc", agentcore: "/invocations" };

export interface AttackOptions {
  readonly profile: keyof typeof rpcPaths;
  readonly seed: number;
  readonly count: number;
}

/** Short retention, so that the last third of a run does not hold the tasks of the first. */
const retentionMs = 500;

/** Sends `count` bodies of a seed to a process of execution. */
export async function attackExecution({ profile, seed, count }: AttackOptions) {
  const zone = await startWatched("execution", {
    HOST_PROFILE: profile,
    EXECUTION_HOST: "127.0.0.1",
    ...tune({ SYNC_WINDOW_MS: 50, MAX_WAIT_MS: 50 }),
    MAX_RUNNING_TASKS: "100000",
    MAX_REQUESTS_PER_MINUTE: "0",
    // An agent's thread needs a second for a megabyte of empty objects.
    TASK_DEADLINE: "5s",
    TASK_RETENTION: `${retentionMs}ms`,
  });
  /** After each third of the bodies. */
  const memory: Memory[] = [];
  const onPause = async (): Promise<void> => {
    await delay(2 * retentionMs);
    memory.push(await zone.memory());
    zone.log.length = 0;
  };
  const startedAt = performance.now();
  const { tally, failures } = await sendBodies({
    url: zone.url,
    path: rpcPaths[profile],
    bodyOf: createHostileBodies(seed),
    count,
    pauses: 3,
    onPause,
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const exitCode = await zone.stop();
  const summary = `${count.toLocaleString("en")} bodies of seed ${seed} at ${rpcPaths[profile]} in ${seconds} s: ${inWords(tally, memory)}`;
  return { tally, failures, memory, summary, exitCode };
}
