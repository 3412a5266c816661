import type { Task } from "@a2a-js/sdk-03";
import { ClientFactory } from "@a2a-js/sdk-03/client";
import type { Handler } from "@crosszone/agent";
import { expect, test } from "vitest";
import { startKitAgent } from "../harness/start-kit-agent.ts";

const handler: Handler = async ({ text, files }, task) => {
  if (text === "ask") return `You said ${(await task.ask("Which color?")).text}`;
  if (text === "wait") await new Promise((resolve) => task.signal.addEventListener("abort", resolve));
  if (text !== "stream") return `${text}: ${files.map(({ name, bytes }) => `${name} ${bytes?.length}`).join()}`;
  task.progress("Thinking…");
  task.file("a.txt", "text/plain", "hi");
  return "end";
};

const connect = async () =>
  new ClientFactory().createFromUrl(await startKitAgent(handler, { inputModes: ["text/plain", "image/png"] }));

const file = { kind: "file" as const, file: { bytes: "AQID", name: "a.png", mimeType: "image/png" } };

const params = (
  text: string,
  { taskId = undefined as string | undefined, blocking = true, more = [] as (typeof file)[] } = {},
) => ({
  message: {
    kind: "message" as const,
    messageId: crypto.randomUUID(),
    role: "user" as const,
    parts: [{ kind: "text" as const, text }, ...more],
    ...(taskId !== undefined && { taskId }),
  },
  configuration: { blocking },
});

test("the official client 0.3.14 sends a file, gets the task, and answers a question", async () => {
  const client = await connect();
  const { id, artifacts } = (await client.sendMessage(params("see", { more: [file] }))) as Task;
  expect(artifacts?.[0]?.parts).toEqual([{ kind: "text", text: "see: a.png 3" }]);
  expect((await client.getTask({ id })).status.state).toBe("completed");
  const asked = (await client.sendMessage(params("ask"))) as Task;
  expect(asked.status.state).toBe("input-required");
  const answered = (await client.sendMessage(params("blue", { taskId: asked.id }))) as Task;
  expect(answered.artifacts?.[0]?.parts).toEqual([{ kind: "text", text: "You said blue" }]);
});

test("the official client 0.3.14 streams, subscribes again and cancels", async () => {
  const client = await connect();
  const kinds: string[] = [];
  for await (const event of client.sendMessageStream(params("stream"))) kinds.push(event.kind);
  expect(kinds).toEqual(["task", "status-update", "artifact-update", "artifact-update", "status-update"]);
  const { id } = (await client.sendMessage(params("wait", { blocking: false }))) as Task;
  const stream = client.resubscribeTask({ id });
  expect((await stream.next()).value).toMatchObject({ kind: "task", status: { state: "working" } });
  expect((await client.cancelTask({ id })).status.state).toBe("canceled");
  expect((await stream.next()).value).toMatchObject({ kind: "status-update", final: true });
  await expect(client.cancelTask({ id })).rejects.toThrow("Task cannot be canceled");
});
