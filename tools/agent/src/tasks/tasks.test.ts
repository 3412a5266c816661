import { expect, test, vi } from "vitest";
import { type AgentOptions, type Handler, type Message, type TaskHandle, UserError } from "../agent-definition.ts";
import { createAgent } from "../create-agent.ts";
import { atOnce, clientOf, type Json, messageOf, readEvents } from "../testing/client-of.ts";

const agentOf = (handler: Handler, options: Partial<AgentOptions> = {}) =>
  createAgent({ name: "Tested", description: "Is tested.", onError: () => undefined, ...options }, handler);

const textOf = ({ artifacts }: Json): string => artifacts[0].parts[0].text;

/** Reads a task until it is in a state. */
const untilState = (client: ReturnType<typeof clientOf>, id: string, state: string): Promise<Json> =>
  vi.waitFor(async () => {
    const { result } = await client.call("GetTask", { id });
    expect(result.status.state).toBe(`TASK_STATE_${state}`);
    return result;
  });

test("a handler gets the text, data, files and ids of a message", async () => {
  const received: Message[] = [];
  const client = clientOf(agentOf((message) => void received.push(message), { inputModes: ["*/*"] }));
  const parts = [
    { text: "one" },
    { text: '{"thread":[]}' },
    { text: "two" },
    { data: [1] },
    { raw: "aGk=", filename: "a.txt", mediaType: "text/plain" },
    { url: "https://files.example.com/b" },
  ];
  const { id } = await client.send("", { message: { parts, contextId: "c1", metadata: { a: 1 } } });
  expect(received).toMatchObject([
    { text: 'one\n{"thread":[]}\ntwo', data: [[1]], contextId: "c1", taskId: id, metadata: { a: 1 }, caller: "" },
  ]);
  expect(received[0]?.files).toEqual([
    { name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("hi") },
    { url: "https://files.example.com/b" },
  ]);
});

test("a stream begins with the task, has each piece in order, and ends with the task", async () => {
  const client = clientOf(
    agentOf(async (_message, task) => {
      task.progress("Looking…");
      task.usage({ inputTokens: 2 });
      task.followUps(["And then?"]);
      task.usage({ inputTokens: 3, outputTokens: 1, cost: 0.5 });
      task.file("a.txt", "text/plain", "hi");
      task.write("one ");
      await new Promise((resolve) => setTimeout(resolve, 30));
      task.write("two ");
      task.data({ n: 1 });
      return "end";
    }),
  );
  const events = await client.stream("go");
  const pieces = events.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
  expect(events[0].task.status.state).toBe("TASK_STATE_WORKING");
  expect(events[1].statusUpdate.status.message.parts).toEqual([{ text: "Looking…" }]);
  expect(pieces.map(({ artifact, append }) => [artifact.artifactId, artifact.parts[0].text, append])).toEqual([
    ["file-1", undefined, false],
    ["answer", "one ", false],
    ["answer", "two ", true],
    ["data-2", undefined, false],
    ["answer", "end", true],
  ]);
  expect(pieces.at(-1).lastChunk).toBe(true);
  expect(events.at(-1).statusUpdate).toMatchObject({
    status: { state: "TASK_STATE_COMPLETED" },
    metadata: {
      usage: { input_tokens: 5, output_tokens: 1, cost: 0.5 },
      "https://crosszone.dev/follow-ups": ["And then?"],
    },
  });
  const { result } = await client.call("GetTask", { id: events[0].task.id });
  expect(result.artifacts.map((artifact: Json) => artifact.parts)).toEqual([
    [{ raw: "aGk=", mediaType: "text/plain", filename: "a.txt" }],
    [{ text: "one two end" }],
    [{ data: { n: 1 }, mediaType: "application/json" }],
  ]);
  expect(result.metadata).toEqual(events.at(-1).statusUpdate.metadata);
});

test("an async iterable is the answer, and many small pieces are few events", async () => {
  const client = clientOf(
    agentOf(async function* () {
      for (let i = 0; i < 1_000; i++) yield `${i} `;
    }),
  );
  const events = await client.stream("go");
  const pieces = events.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
  expect(pieces.length).toBeLessThan(100);
  expect(pieces.map(({ artifact }) => artifact.parts[0].text).join("")).toMatch(/^0 1 .* 998 999 $/);
});

test("a question waits for the next message, which continues the same task", async () => {
  const client = clientOf(agentOf(async (_message, task) => `You like ${(await task.ask("Which color?")).text}.`));
  const asked = await client.stream("go");
  const [{ task }, { statusUpdate }] = [asked[0], asked.at(-1)];
  expect(statusUpdate.status).toMatchObject({ state: "TASK_STATE_INPUT_REQUIRED" });
  expect(statusUpdate.status.message.parts).toEqual([{ text: "Which color?" }]);
  const answered = await client.send("green", { message: { taskId: task.id } });
  expect([answered.id, answered.contextId, textOf(answered)]).toEqual([task.id, task.contextId, "You like green."]);
  expect(answered.history.map(({ role, parts }: Json) => [role, parts[0].text])).toEqual([
    ["ROLE_USER", "go"],
    ["ROLE_AGENT", "Which color?"],
    ["ROLE_USER", "green"],
  ]);
});

test("a repeated message is one task and one run", async () => {
  const handler = vi.fn<Handler>(async () => "done");
  const client = clientOf(agentOf(handler));
  const message = { messageId: "same" };
  const tasks = await Promise.all([client.send("go", { message }), client.send("go", { message })]);
  expect(tasks[0].id).toBe(tasks[1].id);
  expect(handler).toHaveBeenCalledTimes(1);
});

test("one message at a time: a task that works or has ended refuses another, and so does another context", async () => {
  const client = clientOf(agentOf((_message, task) => task.ask("Which?").then(({ text }) => text)));
  const { id: taskId } = await client.send("go");
  const refused = async (members: object): Promise<Json> =>
    (await client.call("SendMessage", { message: messageOf("more", { taskId, ...members }) })).error;
  expect(await refused({ contextId: "other" })).toMatchObject({ code: -32602 });
  const answers = [1, 2, 3].map((n) => client.call("SendMessage", { message: messageOf(`${n}`, { taskId }) }));
  const results = await Promise.all(answers);
  expect(results.map(({ error }) => error?.code)).toEqual([undefined, -32004, -32004]);
  expect(await refused({})).toMatchObject({ code: -32004 });
});

test("cancel aborts the handler's signal; later calls of the handler have no effect", async () => {
  let handled: TaskHandle | undefined;
  const client = clientOf(
    agentOf(async (_message, task) => {
      handled = task;
      task.write("part");
      await new Promise((resolve) => task.signal.addEventListener("abort", resolve));
      task.write(" more");
      task.progress("Still here");
      return "end";
    }),
  );
  const { id } = await client.send("go", atOnce);
  const { result } = await client.call("CancelTask", { id });
  expect(result.status.state).toBe("TASK_STATE_CANCELED");
  expect(handled?.signal.reason).toMatchObject({ name: "AbortError" });
  expect((await client.call("CancelTask", { id })).error.code).toBe(-32002);
  const after = await untilState(client, id, "CANCELED");
  expect(after.artifacts[0].parts).toEqual([{ text: "part" }]);
});

test("a question that is canceled rejects in the handler", async () => {
  let reason: unknown;
  const client = clientOf(
    agentOf(async (_message, task) => {
      await task.ask("Which?").catch((error: unknown) => (reason = error));
    }),
  );
  const { id } = await client.send("go");
  await client.call("CancelTask", { id });
  await vi.waitFor(() => expect(reason).toMatchObject({ name: "AbortError" }));
});

test("an error of a handler goes to the operator, and to the client only if it is a UserError", async () => {
  const onError = vi.fn<(error: unknown, taskId: string) => void>();
  const secret = new Error("password: planted");
  const client = clientOf(
    agentOf(
      ({ text }) => {
        throw text === "user" ? new UserError("No such city.") : secret;
      },
      { onError },
    ),
  );
  const failed = await client.send("other");
  expect(failed.status.state).toBe("TASK_STATE_FAILED");
  expect(JSON.stringify(failed)).not.toContain("planted");
  expect(failed.status.message.parts[0].text).toContain(failed.id);
  expect(onError).toHaveBeenCalledExactlyOnceWith(secret, failed.id);
  expect((await client.send("user")).status.message.parts).toEqual([{ text: "No such city." }]);
  expect(onError).toHaveBeenCalledTimes(1);
});

test("a task that takes too long fails, and so does an unanswered question", async () => {
  const times = { taskTimeoutMs: 20, questionTimeoutMs: 20 };
  const signals: AbortSignal[] = [];
  const handler: Handler = async ({ text }, { ask, signal }) => {
    signals.push(signal);
    await (text === "ask" ? ask("Which?") : new Promise(() => undefined));
  };
  const client = clientOf(agentOf(handler, times));
  expect((await client.send("slow")).status.message.parts[0].text).toBe("The agent took too long.");
  expect(signals[0]?.reason).toMatchObject({ name: "TimeoutError" });
  const { id } = await client.send("ask");
  expect((await untilState(client, id, "FAILED")).status.message.parts[0].text).toMatch("not answered in time");
});

test("the number of tasks is limited: ended ones are dropped first, then open questions, and running ones never", async () => {
  const handler: Handler = async ({ text }, task) => {
    if (text === "ask") await task.ask("Which?");
    if (text === "run") await new Promise(() => undefined);
  };
  const client = clientOf(agentOf(handler, { maxTasks: 2 }));
  const isKept = async ({ id }: Json): Promise<boolean> => "result" in (await client.call("GetTask", { id }));
  const question = await client.send("ask");
  const ended = await client.send("end");
  await client.send("run", atOnce);
  expect([await isKept(question), await isKept(ended)]).toEqual([true, false]);
  const running = await client.send("run", atOnce);
  expect([await isKept(question), await isKept(running)]).toEqual([false, true]);
  const busy = await client.open("SendMessage", { message: messageOf("end") });
  expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await busy.json()).toMatchObject({ error: { code: -32000 } });
});

test("a disconnected client changes nothing; a new stream starts with the task's current state", async () => {
  const gates = [0, 1].map(() => Promise.withResolvers<void>());
  const client = clientOf(
    agentOf(async (_message, task) => {
      task.write("one ");
      await gates[0]?.promise;
      task.write("two ");
      await gates[1]?.promise;
      return "three";
    }),
  );
  const first = await client.open("SendStreamingMessage", { message: messageOf("go") });
  const reader = (first.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  const { id } = JSON.parse(new TextDecoder().decode(value).slice("data: ".length)).result.task;
  await reader.cancel();
  gates[0]?.resolve();
  await vi.waitFor(async () => expect(textOf((await client.call("GetTask", { id })).result)).toBe("one two "));
  const again = await client.open("SubscribeToTask", { id });
  gates[1]?.resolve();
  const events = await readEvents(again);
  expect(textOf(events[0].task)).toBe("one two ");
  expect(events[1].artifactUpdate).toMatchObject({ append: true, artifact: { parts: [{ text: "three" }] } });
  expect(events.at(-1).statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
  expect((await client.call("SubscribeToTask", { id })).error.code).toBe(-32004);
});
