import { zoneMethods, type ListAgentsResult, type ZoneMethods } from "@crosszone/contracts";
import { createClient, createInProcessTransport } from "@crosszone/jsonrpc";
import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { createBuiltinOnThreads } from "../agents/create-builtin-on-threads.ts";
import { createExecutionApp } from "../app.ts";
import { noFiles } from "../files/no-files.ts";
import { hostProfiles } from "../host/host-profile.ts";
import { createOpenAuth } from "../http/auth/open-auth.ts";
import { executionEvents } from "../log-events.ts";
import { openTaskStore } from "../tasks/sql/open-task-store.ts";

/** Calls `list_agents` in a zone with the real agents and test doubles for everything else. */
export async function listAgents(threads: number): Promise<ListAgentsResult> {
  const { agent, close } = createBuiltinOnThreads(threads, { onThreadEnded: () => undefined });
  const { store, jobs, database } = await openTaskStore();
  const { dispatch } = createExecutionApp({
    agents: { all: [agent], default: agent.name },
    profile: hostProfiles.plain,
    store,
    jobs,
    authenticator: createOpenAuth(),
    lendFiles: noFiles,
    now: () => new Date(),
    logger: createLogger({ zone: "execution", level: "silent", events: executionEvents }),
    metrics: createMetrics(),
    health: createHealth(),
    limits: { maxBytes: 1_000_000, maxDepth: 64, maxRunning: 1, syncWindowMs: 0, maxWaitMs: 0, taskDeadlineMs: 1_000 },
  });
  const transport = createInProcessTransport((message, sending) => dispatch(message, { ...sending, caller: "doctor" }));
  const client = createClient<ZoneMethods>({ methods: zoneMethods, transport, timeoutMs: 5_000 });
  try {
    return await client.call("list_agents", {});
  } finally {
    await close();
    await database.close();
  }
}
