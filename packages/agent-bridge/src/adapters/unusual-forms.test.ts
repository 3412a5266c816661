import * as fc from "fast-check";
import { readCard, versions } from "@crosszone/a2a";
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

const adapterOf = (protocol: string) => createAdapters().adapterOf({ protocol, protocol_config: {} });
const adapter = adapterOf("a2a-1.0");
const task = newAgentTask();
const replyTo = (result: unknown): AgentReply => jsonReply(resultOf(result));
const read = (result: unknown) => adapter.fromResponse(replyTo(result), task);

interface Wire {
  readonly protocol: string;
  readonly write: (result: object) => object;
  /** The name of the kind of a result. */
  readonly kindOf: (result: object) => string;
}

/** How each version writes results. */
const wires: readonly (readonly [version: string, Wire])[] = [
  ["1.0", { protocol: "a2a-1.0", write: (result) => result, kindOf: () => "result" }],
  [
    "0.3",
    {
      protocol: "jsonrpc-2.0",
      write: (result) => versions["1.0"].asV03(result) as object,
      kindOf: (result) => String((result as { readonly kind?: string }).kind).replace("-u", "U"),
    },
  ],
];

/** Returns a property that unusual forms of results are read as the results are. */
const alike = (
  values: readonly object[],
  kindOf: (value: object) => string,
  reading: (forms: readonly unknown[]) => Reading | undefined,
) =>
  fc.property(fc.gen(), (gen) => {
    const pick = <One>(all: readonly One[]): One => all[gen(fc.nat, all.length - 1)] as One;
    const forms = values.map((one) => unusualForm(one, pick, kindOf(one)));
    expect(core(reading(forms))).toEqual(core(reading(values)));
  });

describe.each(wires)(
  "J28, J29: over A2A %s, a null or an odd element loses nothing else",
  (_version, { protocol, write, kindOf }) => {
    const own = adapterOf(protocol);
    const readAll = (events: readonly unknown[]) => {
      const readEvent = own.createEventReader?.(task);
      return events.map((event) => readEvent?.(replyTo(event))).at(-1);
    };

    test.each(Object.entries(results))("%s", (_, result) => {
      const written = [write(result)];
      const readOne = ([form]: readonly unknown[]) => own.fromResponse(replyTo(form), task);
      fc.assert(alike(written, kindOf, readOne));
      expect(core(readOne(written)).state).toBeDefined();
    });

    test.each(Object.entries(streams))("a stream of %s", (_, events) => {
      const written = events.map(write);
      fc.assert(alike(written, kindOf, readAll));
      expect(core(readAll(written)).state).toBe("ended");
    });
  },
);

test("J29: odd members of a card change nothing about how its agent is called", () => {
  const found = { url: "https://a.example", protocolBinding: "JSONRPC", protocolVersion: "1.0" };
  const cards = [
    { supportedInterfaces: [found], capabilities: { streaming: true } },
    { url: "https://a.example", capabilities: {}, skills: [{ inputModes: ["text/csv"] }] },
  ];
  fc.assert(
    fc.property(fc.gen(), fc.constantFrom(...cards), (gen, card) => {
      const pick = <One>(all: readonly One[]): One => all[gen(fc.nat, all.length - 1)] as One;
      expect(readCard(unusualForm(card, pick, "card"))).toEqual(readCard(card));
    }),
  );
});

describe("what is left out of a result", () => {
  test("J29: is named once", () => {
    const odd = { ...ids, status: inState("COMPLETED"), artifacts: [null, artifact, 7], history: ["odd"] };
    const { warnings } = read({ task: odd });
    expect(warnings).toEqual(["artifacts, messages or parts that are no objects: 3"]);
  });

  test("J29: and a result of null beside an error is no result", () => {
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
