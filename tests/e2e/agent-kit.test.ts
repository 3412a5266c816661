import { setTimeout as delay } from "node:timers/promises";
import { type Message, type Task, TaskState } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { createAgent, type Handler } from "@crosszone/agent";
import { serve } from "@crosszone/testkit/temporary";
import express from "express";
import { describe, expect, test } from "vitest";
import { part, request, textPart, textsOf } from "../harness/sdk-messages.ts";
import { startKitAgent } from "../harness/start-kit-agent.ts";

const handler: Handler = async ({ text, files }, task) => {
  if (text === "ask") return `You said ${(await task.ask("Which color?")).text}`;
  if (text === "wait") await new Promise((resolve) => task.signal.addEventListener("abort", resolve));
  if (text !== "stream") return `${text}: ${files.map(({ name, bytes }) => `${name} ${bytes?.length}`).join()}`;
  task.progress("Thinking…");
  task.file("a.txt", "text/plain", "hi");
  task.write("one ");
  await delay(30);
  return "two";
};
const options = { inputModes: ["text/plain", "image/png"] };

const legacyCompat = { enabled: true };
const clients = {
  "1.3.0": (url: string) => new ClientFactory().createFromUrl(url),
  "1.3.0 with compatibility": (url: string) =>
    new ClientFactory({
      transports: [new JsonRpcTransportFactory({ legacyCompat })],
      cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
    }).createFromUrl(url),
};

const isTask = (result: Task | Message): result is Task => "artifacts" in result;

describe.each(Object.entries(clients))("the official client %s", (_name, connect) => {
  const open = async () => connect(await startKitAgent(handler, options));

  test("sends a message with a file, and gets the task", async () => {
    const client = await open();
    const file = part({ $case: "raw", value: Buffer.from([1, 2, 3]) }, "a.png", "image/png");
    const task = await client.sendMessage(request("", { parts: [textPart("see"), file] }));
    expect(isTask(task) && textsOf(task)).toEqual(["see: a.png 3"]);
    const again = await client.getTask({ tenant: "", id: (task as Task).id, historyLength: undefined });
    expect(again.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test("streams an answer, and subscribes to another task later", async () => {
    const client = await open();
    const kinds: unknown[] = [];
    for await (const { payload } of client.sendMessageStream(request("stream")))
      kinds.push(payload?.$case === "statusUpdate" ? payload.value.status?.state : payload?.$case);
    expect(kinds).toEqual([
      "task",
      TaskState.TASK_STATE_WORKING,
      "artifactUpdate",
      "artifactUpdate",
      "artifactUpdate",
      TaskState.TASK_STATE_COMPLETED,
    ]);
    const { id } = (await client.sendMessage(request("wait", { isBlocking: false }))) as Task;
    const stream = client.resubscribeTask({ tenant: "", id });
    expect((await stream.next()).value?.payload?.$case).toBe("task");
    const canceled = await client.cancelTask({ tenant: "", id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    const { value } = await stream.next();
    expect(value?.payload?.$case === "statusUpdate" && value.payload.value.status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow("can't be canceled");
  });

  test("answers the question of a task", async () => {
    const client = await open();
    const asked = (await client.sendMessage(request("ask"))) as Task;
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(asked.status?.message?.parts[0]?.content?.value).toBe("Which color?");
    const answered = (await client.sendMessage(request("blue", { taskId: asked.id }))) as Task;
    expect([answered.id, textsOf(answered)]).toEqual([asked.id, ["You said blue"]]);
  });
});

test("an agent runs below a path of an Express app, even behind a body parser", async () => {
  const app = express();
  const agentOf = (name: string) => createAgent({ name, description: "Echoes." }, ({ text }) => `${name}: ${text}`);
  app.use("/plain", agentOf("Plain").listener);
  app.use(express.json());
  app.use("/parsed", agentOf("Parsed").listener);
  const origin = await serve(app);
  for (const [path, name] of [
    ["plain", "Plain"],
    ["parsed", "Parsed"],
  ]) {
    const client = await new ClientFactory().createFromUrl(`${origin}/${path}/`);
    const answer = await client.sendMessage(request("hi"));
    expect(answer).toMatchObject({ artifacts: [{ parts: [{ content: { value: `${name}: hi` } }] }] });
  }
});
