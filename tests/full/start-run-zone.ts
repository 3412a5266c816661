import { createServer } from "node:http";
import { createAdminApi } from "@crosszone/admin-api";
import type { WorkflowDefinition } from "@crosszone/contracts";
import { createHttpApp } from "@crosszone/execution";
import { createHealth, createMetrics, listen } from "@crosszone/service-kit";
import { createWorkflowRoutes } from "@crosszone/workflow";
import { newExecutor, startFakeAgents, type FakeAnswer } from "@crosszone/workflow/testing";
import { onTestFinished } from "vitest";

/** Starts the API and the run page of an execution zone on real runs. `answer` replaces the bridge and all agents. Ends with the test. */
export async function startRunZone(
  answer: FakeAnswer,
  firstTokens: readonly string[] = ["admin-token-of-thirty-two-letters"],
) {
  let tokens = firstTokens;
  const executor = await newExecutor("sqlite::memory:");
  const { workflows } = executor;
  await startFakeAgents(executor, answer);
  workflows.start();
  const stopping = new AbortController();
  const api = createAdminApi({
    parts: [createWorkflowRoutes({ workflows })],
    tokens: () => tokens,
    stopping: stopping.signal,
    limit: { perMinute: 6_000, burst: 1_000 },
  });
  const server = createServer(
    createHttpApp({ api, health: createHealth(), metrics: createMetrics(), emit: () => undefined }),
  );
  const { port, url } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    stopping.abort();
    server.closeAllConnections();
    server.close();
    await executor.close();
  });
  return {
    url,
    /** An admin token. */
    token: tokens[0] ?? "",
    /** Stores a definition, starts a run of it, and resolves with the run's id. */
    start: async (definition: WorkflowDefinition, input: unknown = {}) => {
      await workflows.createVersion(definition);
      const started = await workflows.startRun({ workflow_id: definition.workflow_id, input });
      if (started.outcome !== "started") throw new Error(JSON.stringify(started));
      return started.run.run_id;
    },
    /** Replaces all tokens. */
    replaceTokens: (others: readonly string[]) => {
      tokens = others;
    },
    /** Closes all connections and refuses new ones until the returned function is called. */
    cutOff: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      return async () => void (await listen(server, { host: "127.0.0.1", port }));
    },
  };
}
