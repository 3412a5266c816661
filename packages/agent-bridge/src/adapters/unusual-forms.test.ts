import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentReply, Reading } from "../protocol/protocol-adapter.ts";
import { jsonReply, newAgentTask, resultOf, textReply } from "../testing/agent-record.ts";
import { unusualForm } from "../testing/unusual-forms.ts";
import { createAdapters } from "./adapters.ts";

const ids = { id: "remote-1", contextId: "ctx-1" };
const of = { taskId: "remote-1", contextId: "ctx-1" };
const parts = [{ text: "The " }, { text: "answer." }, { data: { n: 1 } }];
const artifact = { artifactId: "a", parts };
const saying = (text: string) => ({ role: "ROLE_AGENT", messageId: "m1", parts: [{ text }] });
const inState = (state: string, message?: object) => ({ state: `TASK_STATE_${state}`, ...(message && { message }) });

/** Results of A2A 1.0, each with no more than it needs. */
const results: Readonly<Record<string, object>> = {
  "an answer in an artifact": { task: { ...ids, status: inState("COMPLETED"), artifacts: [artifact] } },
  "an answer in the status": { task: { ...ids, status: inState("COMPLETED", saying("The answer.")) } },
  "an answer in the history": { task: { ...ids, status: inState("COMPLETED"), history: [saying("The answer.")] } },
  "a message": { message: saying("The answer.") },
  "a question": { task: { ...ids, status: inState("INPUT_REQUIRED", saying("Which city?")) } },
  "a failure": { task: { ...ids, status: inState("FAILED", saying("No seats.")) } },
  "a task that goes on": { task: { ...ids, status: inState("WORKING", saying("Halfway.")) } },
};

/** Streams of A2A 1.0. */
const streams: Readonly<Record<string, readonly object[]>> = {
  "pieces of an artifact": [
    { task: { ...ids, status: inState("SUBMITTED") } },
    { statusUpdate: { ...of, status: inState("WORKING") } },
    { artifactUpdate: { ...of, artifact } },
    { artifactUpdate: { ...of, artifact: { artifactId: "a", parts: [{ text: "More." }] }, append: true } },
    { statusUpdate: { ...of, status: inState("COMPLETED") } },
  ],
  "an artifact, and the task again": [
    { artifactUpdate: { ...of, artifact } },
    { task: { ...ids, status: inState("WORKING") } },
    { statusUpdate: { ...of, status: inState("COMPLETED") } },
  ],
  messages: [{ message: saying("The ") }, { message: saying("answer.") }],
};

/** What matters of a reading. */
function core(reading: Reading | undefined) {
  if (reading === undefined || reading.state === "working")
    return { state: reading?.state, id: reading?.remoteId, progress: reading?.progress };
  const { output, failure } = reading;
  const { text, response } = (output ?? {}) as { readonly text?: string; readonly response?: string };
  const data = JSON.stringify((output as { artifacts?: object[] } | null)?.artifacts ?? null).match(
    /"data":\{[^}]*\}/g,
  );
  const { agent_says: says } = (failure?.data ?? {}) as { readonly agent_says?: string };
  return { state: reading.state, text, response, data, kind: failure?.kind, says };
}

const adapter = createAdapters().adapterOf({ protocol: "a2a-1.0", protocol_config: {} });
const task = newAgentTask();
const replyTo = (result: unknown): AgentReply => jsonReply(resultOf(result));
const read = (result: unknown) => adapter.fromResponse(replyTo(result), task);
const readAll = (events: readonly unknown[]) => {
  const readEvent = adapter.createEventReader?.(task);
  return events.map((event) => readEvent?.(replyTo(event))).at(-1);
};

/** Returns properties that unusual forms of a value are read as the value is. */
const alike = <Value>(value: Value, reading: (form: Value) => Reading | undefined) =>
  fc.property(fc.gen(), (gen) => {
    const pick = <One>(values: readonly One[]): One => values[gen(fc.nat, values.length - 1)] as One;
    const form = (
      Array.isArray(value) ? value.map((one) => unusualForm(one, pick)) : unusualForm(value, pick)
    ) as Value;
    expect(core(reading(form))).toEqual(core(reading(value)));
  });

describe("J28, J29: legal but unusual forms are read as the usual ones: a null or an odd element loses nothing else", () => {
  test.each(Object.entries(results))("%s", (_, result) => {
    fc.assert(alike(result, read), { numRuns: 300 });
    expect(core(read(result)).state).toBeDefined();
  });

  test.each(Object.entries(streams))("a stream of %s", (_, events) => {
    fc.assert(alike(events, readAll), { numRuns: 300 });
    expect(core(readAll(events)).state).toBe("ended");
  });

  test("what is left out is named once", () => {
    const odd = { ...ids, status: inState("COMPLETED"), artifacts: [null, artifact, 7], history: ["odd"] };
    const { warnings } = read({ task: odd });
    expect(warnings).toEqual(["artifacts, messages or parts that are no objects: 3"]);
  });

  test("a result of null beside an error is no result", () => {
    const error = { code: -32_603, message: "boom" };
    const reply = jsonReply({ jsonrpc: "2.0", id: task.task_id, result: null, error });
    expect(adapter.fromResponse(reply, task)).toMatchObject({ failure: { kind: "rpc_error", code: -32_603 } });
  });
});

describe("O20: a number that would change", () => {
  const reply = (members: string) =>
    textReply(`{"jsonrpc":"2.0","id":"t1","result":{"task":{"id":"remote-1","contextId":"ctx-1",${members}}}}`);
  const done = (metadata: string, value: string) =>
    reply(
      `"status":{"state":"TASK_STATE_COMPLETED"},"metadata":${metadata},"artifacts":[{"artifactId":"a","parts":[{"text":"Yes."},{"data":${value}}]}]`,
    );

  test("cost the whole answer where nobody uses it: it is kept as text", () => {
    const { output } = adapter.fromResponse(done('{"at_ns":1764381323123456789,"n":-0.0,"ok":1.5}', "1"), task) as {
      output: object;
    };
    expect(output).toMatchObject({ text: "Yes.", metadata: { at_ns: "1764381323123456789", n: "-0.0", ok: 1.5 } });
  });

  test("is refused where it is shown or calculated with", () => {
    const answer = done("{}", '{"id":1764381323123456789}');
    expect(() => adapter.fromResponse(answer, task)).toThrow("/data/id is 1764381323123456789");
  });
});
