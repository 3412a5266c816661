import { type ListAgentsResult, zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient, createInProcessTransport, LinkError } from "@crosszone/jsonrpc";
import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { type Check, failed, passed } from "@crosszone/ops/doctor";
import { executionEvents } from "@crosszone/telemetry";
import { createBuiltinOnThreads } from "../../agents/threads/worker-agent.ts";
import { createExecutionApp } from "../../app.ts";
import { noFiles } from "../../files/http-files.ts";
import { createOpenAuth } from "../../http/auth/open-auth.ts";
import { hostProfiles } from "../../http/host-profile.ts";
import { openTaskStore } from "../../tasks/sql/open-task-store.ts";

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
    grantFiles: noFiles,
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

/** Checks that the zone, with its real agents, can answer `list_agents`. Runs no task. */
export function checkAgents(list: () => Promise<ListAgentsResult>): Check {
  return {
    name: "agents",
    run: async () => {
      try {
        const { agents } = await list();
        const names = agents.map(({ name, skills }) => `${name} (${skills.length} skills)`);
        return names.length === 0
          ? failed("the zone has no agents", "Add an agent to the zone.")
          : passed(names.join(", "));
      } catch (error) {
        if (!(error instanceof LinkError)) throw error;
        return failed(
          `list_agents: ${error.message}`,
          "Check the name, description and skills of the agent that was added last.",
        );
      }
    },
  };
}
