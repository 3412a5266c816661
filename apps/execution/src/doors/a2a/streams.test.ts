// suite: both
import { setTimeout as delay } from "node:timers/promises";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { agentThat, echo, stuck } from "../../testing/start-zone.ts";
import {
  atOnce,
  type Json,
  messageOf,
  programOf,
  readEvents,
  type SseEvent,
  startAskedZone,
} from "../../testing/start-asked-zone.ts";

/** Returns the text of an answer that a client builds from the events. */
function textOfEvents(events: readonly SseEvent[]): string {
  let text = "";
  for (const { result } of events) {
    const { artifact, append } = result.artifactUpdate ?? { artifact: result.task?.artifacts?.[0] };
    if (artifact?.artifactId === "answer") text = (append === true ? text : "") + artifact.parts[0].text;
  }
  return text;
}

const slow = agentThat(async (_input, { preview, signal }) => {
  preview?.progress({ steps: [], text: "Reading" });
  // What was shown is stored before the answer comes, also on a busy machine.
  for (const [word, ms] of [
    ["one ", 150],
    ["two ", 150],
    ["three ", 600],
  ] as const) {
    preview?.text(word);
    await delay(ms, undefined, { signal });
  }
  return {
    response_text: "one two three done",
    files: [{ name: "a.txt", media_type: "text/plain", bytes: Buffer.from("hi") }],
  };
}, "slow");
const liar = agentThat(async (_input, { preview }) => {
  preview?.text("draft");
  await delay(600);
  return { response_text: "final" };
}, "liar");

const kindsOf = (events: readonly SseEvent[]): readonly string[] =>
  events.map(({ result }) => Object.keys(result)[0] ?? "");
const statesOf = (events: readonly SseEvent[]): readonly string[] =>
  events.flatMap(({ result }) => result.task?.status.state ?? result.statusUpdate?.status.state ?? []);

onBothEngines("streams of tasks", (newDatabase) => {
  const start = async () => startAskedZone([echo, slow, liar, stuck], { database: await newDatabase() });

  test("A1: a stream is the task, then its updates, and ends with it (CORE-STREAM-001 CORE-STREAM-002 JSONRPC-SSE-001)", async () => {
    const { a2a: url } = await start();
    const response = await programOf(url, "slow").open({
      jsonrpc: "2.0",
      id: "s",
      method: "SendStreamingMessage",
      params: { message: messageOf("go") },
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const text = await response.text();
    const events = readEvents(text);
    expect(JSON.parse(/data: (.*)/.exec(text)?.[1] ?? "")).toMatchObject({ jsonrpc: "2.0", id: "s" });
    expect(kindsOf(events).slice(0, 1)).toEqual(["task"]);
    expect(statesOf(events)).toEqual(["TASK_STATE_WORKING", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
    expect(textOfEvents(events)).toBe("one two three done");
    const progress = events.find(({ result }) => result.statusUpdate !== undefined);
    expect(progress?.result.statusUpdate.status.message.parts).toEqual([{ text: "Reading" }]);
    expect(events.at(-2)?.result.artifactUpdate).toMatchObject({
      artifact: { artifactId: "file-1", parts: [{ raw: "aGk=" }] },
      lastChunk: true,
    });
    const lastText = events.findLast(({ result }) => result.artifactUpdate?.artifact.artifactId === "answer");
    expect(lastText?.result.artifactUpdate).toMatchObject({
      append: true,
      lastChunk: true,
      artifact: { parts: [{ text: "done" }] },
    });
  });

  test("A4, A1: a stream continues exactly after any event, and all have the same events (STREAM-ORDER-001 STREAM-ORDER-002 STREAM-SUB-001 STREAM-SUB-002)", async () => {
    const { a2a: url } = await start();
    const program = programOf(url, "slow");
    const params = { message: messageOf("go") };
    const whole = await program.stream("SendStreamingMessage", params);
    const id = whole[0]?.result.task.id;
    const [, ...ids] = whole.map((event) => event.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [index, event] of whole.slice(0, -1).entries()) {
      const after = { "last-event-id": event.id };
      expect(await program.stream("SubscribeToTask", { id }, after)).toEqual(whole.slice(index + 1));
      expect(await program.stream("SendStreamingMessage", params, after)).toEqual(whole.slice(index + 1));
    }
    const last = whole.at(-1)?.id ?? "";
    expect((await program.call("SubscribeToTask", { id }, { "last-event-id": last })).error.code).toBe(-32004);
    const again = await program.stream("SendStreamingMessage", params);
    expect([kindsOf(again), textOfEvents(again)]).toEqual([["task"], "one two three done"]);
  });

  test("A1: readers that begin while it runs build the same answer; one that leaves changes nothing (STREAM-ORDER-003 STREAM-ORDER-004)", async () => {
    const over = Promise.withResolvers<void>();
    const held = agentThat(async (...given) => (await Promise.all([slow.run(...given), over.promise]))[0], "held");
    const { a2a: url } = await startAskedZone([held], { database: await newDatabase() });
    const program = programOf(url, "held");
    const { id } = await program.send("go", {}, atOnce);
    const subscribe = { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } };
    const leaving = new AbortController();
    await program.open(subscribe, {}, { signal: leaving.signal });
    const readers: Response[] = [];
    for (const ms of [0, 170, 170]) {
      await delay(ms);
      readers.push(await program.open(subscribe));
      leaving.abort();
    }
    over.resolve();
    for (const reader of readers) {
      const events = readEvents(await reader.text());
      expect(textOfEvents(events)).toBe("one two three done");
      expect(statesOf(events).at(-1)).toBe("TASK_STATE_COMPLETED");
    }
  });

  test("An answer that differs from what was shown replaces it", async () => {
    const { a2a: url } = await start();
    const events = await programOf(url, "liar").stream("SendStreamingMessage", { message: messageOf("go") });
    expect(events.map(({ result }) => result.artifactUpdate?.append).filter((append) => append !== undefined)).toEqual([
      false,
      false,
    ]);
    expect(textOfEvents(events)).toBe("final");
  });

  test("A1: a stream ends when the task is canceled, and an error comes as one JSON answer (CORE-STREAM-003 JSONRPC-SSE-002)", async () => {
    const { a2a: url } = await start();
    const program = programOf(url, "stuck");
    const stream = program.stream("SendStreamingMessage", { message: messageOf("wait") });
    await expect.poll(async () => (await program.call("ListTasks")).result.totalSize).toBe(1);
    const { tasks } = (await program.call("ListTasks")).result;
    await program.call("CancelTask", { id: tasks[0].id });
    expect(statesOf(await stream)).toEqual(["TASK_STATE_WORKING", "TASK_STATE_CANCELED"]);
    const response = await program.open({ jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id: "x" } });
    expect([response.headers.get("content-type"), ((await response.json()) as Json).error.code]).toEqual([
      "application/json",
      -32001,
    ]);
  });

  test("A2: a stream of 0.3 has kinds and a final event", async () => {
    const { a2a: url } = await start();
    const message = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "go" }] };
    const events = await programOf(url, "slow", { "a2a-version": "" }).stream("message/stream", { message });
    expect(events[0]?.result).toMatchObject({ kind: "task", status: { state: "working" } });
    expect(events.at(-1)?.result).toMatchObject({ kind: "status-update", final: true, status: { state: "completed" } });
    expect(events.slice(1, -1).every(({ result }) => result.final !== true)).toBe(true);
  });
});
