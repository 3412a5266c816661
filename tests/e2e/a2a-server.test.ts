import { setTimeout as delay } from "node:timers/promises";
import { type Task, TaskState } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import * as sdk03 from "@a2a-js/sdk-03/client";
import type { Agent } from "@crosszone/execution";
import { describe, expect, test } from "vitest";
import { fetchWithToken as fetchImpl, part, request, textPart, textsOf } from "../harness/sdk-messages.ts";
import { askingAgent, startAsked } from "../harness/start-called-zone.ts";

const echo: Agent = {
  name: "echo",
  description: "Echoes",
  skills: [],
  run: async ({ text, attachments }, { signal, preview }) => {
    if (text === "wait") await new Promise((_, reject) => signal.addEventListener("abort", reject));
    if (text !== "stream") return { response_text: [text, ...attachments.map(({ name }) => name)].join(" ") };
    preview?.text("one ");
    await delay(100);
    const files = [{ name: "a.txt", media_type: "text/plain", bytes: Buffer.from("hi") }];
    return { response_text: "one two", files };
  },
};

const legacyCompat = { enabled: true };
const clients = {
  "1.3.0": (url: string) =>
    new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver(),
    }).createFromUrl(url),
  "1.3.0 with compatibility": (url: string) =>
    new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
    }).createFromUrl(url),
};
const allTasks = {
  tenant: "",
  contextId: "",
  status: TaskState.TASK_STATE_UNSPECIFIED,
  pageToken: "",
  statusTimestampAfter: undefined,
};
/** Returns how many calls are refused because there are no push notifications. */
async function refusedPushes(calls: readonly Promise<unknown>[]): Promise<number> {
  const settled = await Promise.allSettled(calls);
  const names = settled.map((call) => (call.status === "rejected" ? (call.reason as Error).constructor.name : ""));
  return names.filter((name) => name.includes("PushNotificationNotSupported")).length;
}
const start = async () => startAsked({ agents: [echo, askingAgent] });

describe.each(Object.entries(clients))("the official client %s", (_name, connect) => {
  test("sends text and a file, reads the task and lists it", async () => {
    const client = await connect((await start()).urlOf("echo"));
    const file = part({ $case: "raw", value: Buffer.from([1, 2, 3]) }, "a.png", "image/png");
    const task = (await client.sendMessage(request("", { parts: [textPart("see"), file] }))) as Task;
    expect(textsOf(task)).toEqual(["see a.png"]);
    const again = await client.getTask({ tenant: "", id: task.id, historyLength: 0 });
    expect([again.status?.state, again.history]).toEqual([TaskState.TASK_STATE_COMPLETED, []]);
    const { tasks, totalSize } = await client.listTasks(allTasks);
    expect([tasks.map(({ id }) => id), totalSize]).toEqual([[task.id], 1]);
    const card = await client.getAgentCard();
    expect([card.description, card.capabilities?.streaming]).toEqual(["Echoes", true]);
  });

  test("streams an answer and its file, subscribes to another task and cancels it", async () => {
    const client = await connect((await start()).urlOf("echo"));
    let text = "";
    const names: string[] = [];
    for await (const { payload } of client.sendMessageStream(request("stream"))) {
      const update = payload?.$case === "artifactUpdate" ? payload.value : undefined;
      const content = update?.artifact?.parts[0]?.content;
      if (content?.$case === "text") text = (update?.append === true ? text : "") + content.value;
      if (content?.$case === "raw") names.push(`${update?.artifact?.name} ${content.value.toString()}`);
    }
    expect([text, names]).toEqual(["one two", ["a.txt hi"]]);
    const { id } = (await client.sendMessage(request("wait", { isBlocking: false }))) as Task;
    const stream = client.resubscribeTask({ tenant: "", id });
    expect((await stream.next()).value?.payload?.$case).toBe("task");
    await client.cancelTask({ tenant: "", id, metadata: undefined });
    const { value } = await stream.next();
    expect(value?.payload?.$case === "statusUpdate" && value.payload.value.status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow("can't be canceled");
  });

  test("answers an input request", async () => {
    const client = await connect((await start()).urlOf("asking"));
    const asked = (await client.sendMessage(request("go"))) as Task;
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const answered = (await client.sendMessage(request("it rains", { taskId: asked.id }))) as Task;
    expect([answered.id, textsOf(answered)]).toEqual([asked.id, ["go because it rains"]]);
  });
});

describe("the official client 0.3.14", () => {
  const connect = async (url: string) =>
    new sdk03.ClientFactory({
      transports: [new sdk03.JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new sdk03.DefaultAgentCardResolver({ fetchImpl }),
    }).createFromUrl(url);
  const messageOf = (text: string, members: object = {}) => ({
    message: {
      kind: "message" as const,
      messageId: crypto.randomUUID(),
      role: "user" as const,
      parts: [{ kind: "text" as const, text }],
      ...members,
    },
  });

  test("A2: sends, streams and answers an input request", async () => {
    const { urlOf } = await start();
    const [client, asking] = [await connect(urlOf("echo")), await connect(urlOf("asking"))];
    const sent = await client.sendMessage(messageOf("hi"));
    expect(sent).toMatchObject({
      kind: "task",
      status: { state: "completed" },
      artifacts: [{ parts: [{ text: "hi" }] }],
    });
    const kinds: string[] = [];
    for await (const event of client.sendMessageStream(messageOf("stream"))) kinds.push(event.kind);
    expect([kinds[0], kinds.at(-1), kinds.includes("artifact-update")]).toEqual(["task", "status-update", true]);
    const asked = await asking.sendMessage(messageOf("go"));
    expect(asked).toMatchObject({ status: { state: "input-required" } });
    const taskId = (asked as { id: string }).id;
    expect(await asking.sendMessage(messageOf("it rains", { taskId }))).toMatchObject({
      id: taskId,
      artifacts: [{ parts: [{ text: "go because it rains" }] }],
    });
    await expect(client.getTask({ id: taskId })).rejects.toThrow("Task not found");
  });

  test("A2, A6: reads, subscribes and cancels, and reads that push notifications are not supported", async () => {
    const client = await connect((await start()).urlOf("echo"));
    const configuration = { blocking: false };
    const { id } = (await client.sendMessage({ ...messageOf("wait"), configuration })) as { id: string };
    const stream = client.resubscribeTask({ id });
    expect((await stream.next()).value).toMatchObject({ kind: "task", id, status: { state: "working" } });
    expect(await client.cancelTask({ id })).toMatchObject({ status: { state: "canceled" } });
    expect((await stream.next()).value).toMatchObject({ kind: "status-update", status: { state: "canceled" } });
    expect(await client.getTask({ id })).toMatchObject({ id, status: { state: "canceled" } });
    expect(await client.getAgentCard()).toMatchObject({ description: "Echoes", protocolVersion: "0.3.0" });
    const of = { id, pushNotificationConfigId: "a" };
    const { transport } = client;
    const refused = await refusedPushes([
      transport.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: { url: "https://example.com" } }),
      transport.getTaskPushNotificationConfig(of),
      transport.listTaskPushNotificationConfig(of),
      transport.deleteTaskPushNotificationConfig(of),
    ]);
    expect(refused).toBe(4);
  });
});
