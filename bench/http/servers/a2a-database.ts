import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TaskState } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, type AgentExecutor, type RequestContext } from "@a2a-js/sdk/server";
import { DatabaseTaskStore } from "@a2a-js/sdk/server/database";
import { jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { agentCard } from "../../agents/agent-card.ts";
import { messageFor } from "./a2a-sdk.ts";

const migrate = fileURLToPath(new URL("cli/a2a_db.js", import.meta.resolve("@a2a-js/sdk")));

/**
 * @a2a-js/sdk on Express with its own task store, on tables that its own command made, and as many connections as the zone has.
 * The agent says that it has a task, and then how it ended, as the SDK's examples do: two writes, as the zone has.
 */
export async function createA2aDatabaseServer(url: string): Promise<Server> {
  await promisify(execFile)(process.execPath, [migrate, "upgrade", "--url", url]);
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 10 }) }),
  });
  const executor: AgentExecutor = {
    execute: async (request, bus) => {
      bus.publish(submitted(request));
      bus.publish(completed(request));
      bus.finished();
    },
    cancelTask: async () => undefined,
  };
  const card = agentCard("http://127.0.0.1/rpc");
  const requestHandler = new DefaultRequestHandler(card, new DatabaseTaskStore(db), executor);
  const app = express();
  app.use("/rpc", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return createServer(app);
}

function submitted({ taskId: id, contextId, userMessage }: RequestContext): ReturnType<typeof AgentEvent.task> {
  const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() };
  return AgentEvent.task({ id, contextId, status, artifacts: [], history: [userMessage], metadata: undefined });
}

function completed(request: RequestContext): ReturnType<typeof AgentEvent.statusUpdate> {
  const { taskId, contextId } = request;
  const timestamp = new Date().toISOString();
  const status = { state: TaskState.TASK_STATE_COMPLETED, message: messageFor(request), timestamp };
  return AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined });
}
