// suite: rest
// @module-tag judge
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Role, TaskState } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import { steadyNow, systemClock } from "@crosszone/service-kit/timing";
import { serve } from "@crosszone/testkit/temporary";
import express from "express";
import { expect, test } from "vitest";
import { clientOf, startCall } from "../testing/start-call.ts";

/** How long the agent says nothing, and how long that may take, milliseconds. */
const [silentMs, timeoutMs] = [2_500, 1_000];

/** Starts an agent on @a2a-js/sdk 1.3.0 that is silent before its answer; first it names its task, or not. Returns how often it worked. */
async function start(namesTask: boolean) {
  let works = 0;
  const executor: AgentExecutor = {
    execute: async ({ taskId, contextId, userMessage }, bus) => {
      works += 1;
      const plain = { metadata: undefined };
      const status = (state: TaskState) => ({ state, message: undefined, timestamp: new Date().toISOString() });
      const content = { $case: "text" as const, value: "The answer." };
      const parts = [{ ...plain, content, filename: "", mediaType: "" }];
      const artifact = { ...plain, artifactId: "a", name: "", description: "", parts, extensions: [] };
      const more = { ...plain, extensions: [], referenceTaskIds: [] };
      const named = { ...plain, id: taskId, contextId, status: status(TaskState.TASK_STATE_WORKING) };
      if (namesTask) bus.publish(AgentEvent.task({ ...named, artifacts: [], history: [userMessage] }));
      await pause(silentMs);
      if (namesTask) {
        const ids = { ...plain, taskId, contextId };
        bus.publish(AgentEvent.artifactUpdate({ ...ids, artifact, append: false, lastChunk: true }));
        bus.publish(AgentEvent.statusUpdate({ ...ids, status: status(TaskState.TASK_STATE_COMPLETED) }));
      } else
        bus.publish(
          AgentEvent.message({ ...more, messageId: randomUUID(), contextId, taskId: "", role: Role.ROLE_AGENT, parts }),
        );
      bus.finished();
    },
    cancelTask: async () => undefined,
  };
  const app = express();
  const origin = await serve(app);
  const handler = new DefaultRequestHandler(
    {
      name: "silent",
      description: "Says nothing for a while.",
      version: "1.0.0",
      provider: undefined,
      supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" }],
      capabilities: { streaming: true, extensions: [] },
      securitySchemes: {},
      securityRequirements: [],
      signatures: [],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [],
    },
    new InMemoryTaskStore(),
    executor,
  );
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: handler }));
  app.use("/a2a", jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  const { end } = startCall({
    agent: { url: `${origin}/a2a`, protocol: "auto", timeout_ms: timeoutMs },
    deps: { client: clientOf({ origins: [origin] }), time: { ...systemClock, now: steadyNow, random: Math.random } },
    options: { deadlineAt: steadyNow() + 60_000 },
  });
  return { end: await end, works: () => works };
}

test("J17: a silent agent on the official SDK worked four times for one question", async () => {
  const { end, works } = await start(false);
  expect(end).toMatchObject({ attempts: 1, failure: { kind: "answer_lost", retryable: false } });
  await pause(silentMs);
  expect(works()).toBe(1);
});

test("J17: one that has named its task is polled until its answer is there", async () => {
  const { end, works } = await start(true);
  expect(end).toMatchObject({ attempts: 1, failure: undefined, output: { text: "The answer." } });
  expect(works()).toBe(1);
});
