import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Role, TaskState, type Message } from "@a2a-js/sdk";
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type RequestContext,
  type TaskStore,
} from "@a2a-js/sdk/server";
import { DatabaseTaskStore } from "@a2a-js/sdk/server/database";
import { jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { agentCard } from "../../agents/dialects.ts";
import { answerText, chunk, chunksIn } from "../messages.ts";

type Event = ReturnType<typeof AgentEvent.task>;

/** @a2a-js/sdk on Express. It answers with a task, which the SDK keeps. */
export const createA2aServer = (): Server =>
  serve(new InMemoryTaskStore(), async function* (request) {
    yield taskOf(request, completed(request));
  });

const migrate = fileURLToPath(new URL("cli/a2a_db.js", import.meta.resolve("@a2a-js/sdk")));

/**
 * The same with the SDK's own store, on tables that its own command made, and as many connections as the zone has. The agent says that it has
 * a task, and then how it ended, as the SDK's examples do: two writes, as the zone has.
 */
export async function createA2aDatabaseServer(url: string): Promise<Server> {
  await promisify(execFile)(process.execPath, [migrate, "upgrade", "--url", url]);
  const pool = new Pool({ connectionString: url, max: 10 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return serve(new DatabaseTaskStore(db), async function* (request) {
    const { taskId, contextId } = request;
    yield taskOf(request, statusOf(TaskState.TASK_STATE_SUBMITTED));
    yield* chunksOf(request);
    yield AgentEvent.statusUpdate({ taskId, contextId, status: completed(request), metadata: undefined });
  });
}

/** One artifact, chunk by chunk. */
async function* chunksOf({ taskId, contextId, userMessage }: RequestContext): AsyncGenerator<Event> {
  const { content } = userMessage.parts[0] ?? {};
  const chunks = content?.$case === "text" ? chunksIn(content.value) : 0;
  for (let sent = 0; sent < chunks; sent += 1) {
    const artifact = { artifactId: "answer", name: "", description: "", parts: [partOf(chunk)], extensions: [] };
    const ends = { append: sent > 0, lastChunk: sent === chunks - 1 };
    yield AgentEvent.artifactUpdate({
      taskId,
      contextId,
      artifact: { ...artifact, metadata: undefined },
      ...ends,
      metadata: undefined,
    });
    await turn();
  }
}

function serve(store: TaskStore, eventsOf: (request: RequestContext) => AsyncIterable<Event>): Server {
  const executor: AgentExecutor = {
    execute: async (request, bus) => {
      for await (const event of eventsOf(request)) bus.publish(event);
      bus.finished();
    },
    cancelTask: async () => undefined,
  };
  const card = agentCard("http://127.0.0.1/rpc");
  const capabilities = { streaming: true, pushNotifications: false, extensions: [] };
  const requestHandler = new DefaultRequestHandler({ ...card, capabilities }, store, executor);
  const app = express();
  app.use("/rpc", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return createServer(app);
}

const statusOf = (state: TaskState, message?: Message) => ({ state, message, timestamp: new Date().toISOString() });
const completed = (request: RequestContext) => statusOf(TaskState.TASK_STATE_COMPLETED, messageFor(request));

function taskOf({ taskId: id, contextId, userMessage }: RequestContext, status: ReturnType<typeof statusOf>): Event {
  return AgentEvent.task({ id, contextId, status, artifacts: [], history: [userMessage], metadata: undefined });
}

function messageFor({ contextId, taskId }: RequestContext): Message {
  return {
    messageId: crypto.randomUUID(),
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts: [partOf(answerText)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

const partOf = (value: string): Message["parts"][number] => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "",
});
