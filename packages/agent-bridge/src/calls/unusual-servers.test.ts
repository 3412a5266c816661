import { describe, expect, test } from "vitest";
import { doneWith, taskIn } from "../testing/agent-record.ts";
import { virtualTime } from "../testing/start-call.ts";
import {
  card10,
  chunk,
  done10,
  result,
  said10,
  says,
  showing10,
  status,
  status10,
  streaming,
  task10,
} from "../testing/start-carded-agent.ts";

const answered = [chunk("The answer.", false), status("completed")];
const own = { timeout_ms: 1_000 };

describe("J17: a stream that is open but silent", () => {
  test("was asked four times: comments, blank lines, and events that are no response, show that it is alive", async () => {
    const texts = [
      ": heartbeat\n\n",
      ":\n",
      "\n",
      "event: ping\n\n",
      "retry: 3000\n\n",
      "event: ping\ndata: {}\n\n",
      "data: ping\n\n",
    ];
    const alive = async (text: string) => {
      const beats = { text, times: 16, everyMs: 100 };
      const { agent, call } = await streaming({ "message/stream": { events: answered, beats } }, own);
      const { end, eventsOf } = call();
      expect(await end).toMatchObject({ failure: undefined, attempts: 1, output: { text: "The answer." } });
      expect(agent.methods()).toEqual(["message/stream"]);
      return eventsOf("protocol_translation_error").length;
    };
    // What is left out is named once.
    expect(await Promise.all(texts.map(alive))).toEqual([0, 0, 0, 0, 0, 1, 1]);
  });

  test.each(["hang", "unopened"] as const)(
    "is never asked again without its task's id: its answer is lost (%s)",
    async (ends) => {
      const stream = { events: [], ends };
      const { agent, call } = await streaming(
        { "message/stream": stream, "message/send": result(doneWith("again")) },
        own,
      );
      const { failure, attempts } = await call().end;
      expect({ failure, attempts }).toMatchObject({ attempts: 1, failure: { kind: "answer_lost", retryable: false } });
      expect(failure?.message).toContain("Raise its timeout_ms");
      expect(agent.methods()).toEqual(["message/stream"]);
    },
  );

  test("is left for polls after five minutes of heartbeats alone: it may have lost its end", async () => {
    const beats = { text: ":\n", times: 100, everyMs: 50 };
    const stream = { first: result(taskIn("working")), events: answered, beats };
    const polls = { "tasks/get": result(doneWith("The answer.")) };
    const { agent } = await streaming({ "message/stream": stream, ...polls });
    // A thousand times as fast as it is.
    const time = { ...virtualTime(), now: () => performance.now() * 1_000 };
    const { end } = agent.start({ agent: { timeout_ms: 500 }, time, deadlineMs: 86_400_000 });
    expect(await end).toMatchObject({ attempts: 1, output: { text: "The answer." } });
    expect(agent.methods()).toEqual(["message/stream", "tasks/get"]);
  });

  test("ends at the deadline of its task, whatever keeps it open", async () => {
    const beats = { text: ":\n", times: 100, everyMs: 50 };
    const { agent, call } = await streaming({ "message/stream": { events: answered, beats } }, own);
    const deadline = AbortSignal.timeout(1_500);
    const ended: unknown = await call({ signal: deadline }).end.catch((error: unknown) => error);
    expect(ended).toBe(deadline.reason);
    expect(agent.methods()).toEqual(["message/stream"]);
  });

  test("whose only events are no responses fails with the first", async () => {
    const { agent, call } = await streaming({ "message/stream": { events: ["ping", "[DONE]"] } });
    expect(await call().end).toMatchObject({ attempts: 1, failure: { kind: "not_json" } });
    expect(agent.methods()).toEqual(["message/stream"]);
  });
});

describe("J18: a task that waits for an authorization", () => {
  const asks = showing10("auth-required", said10("Log in at https://idp.example.com/a"));

  test("a poll of the next message found its answer, and threw it away", async () => {
    const answers = { GetTask: result(done10("Your calendar is empty.")), SendMessage: asks };
    const { agent, call } = await streaming(answers, { card: card10 });
    const { output, failure } = await call({}, { open_task_id: "remote-1" }).end;
    expect([failure, output]).toMatchObject([undefined, { text: "Your calendar is empty." }]);
    expect(agent.methods()).toEqual(["GetTask"]);
  });

  test("that ended without a word gets the next message", async () => {
    const answers = { GetTask: result(task10("completed")), SendMessage: result({ task: done10("Hi.") }) };
    const { agent, call } = await streaming(answers, { card: card10 });
    expect(await call({}, { open_task_id: "remote-1" }).end).toMatchObject({ output: { text: "Hi." } });
    expect(agent.methods()).toEqual(["GetTask", "SendMessage"]);
  });

  test("is followed without a message: its end is its answer, and the same question is no failure of the agent", async () => {
    const waits = result(task10("auth-required", said10("Log in.")));
    const answers = { SubscribeToTask: 405, GetTask: [waits, result(done10("Your calendar is empty."))] };
    const { agent, call } = await streaming(answers, { card: card10 });
    const follow = () => call({ remoteId: "remote-1" }, { open_task_id: "remote-1" }).end;
    expect(await follow()).toMatchObject({ attempts: 0, failure: { kind: "auth_required" } });
    expect(await follow()).toMatchObject({ attempts: 0, output: { text: "Your calendar is empty." } });
    expect(agent.methods().filter((method) => method.startsWith("Send"))).toEqual([]);
  });
});

describe("J28: status messages with one messageId", () => {
  const pieces = (texts: readonly string[]) => texts.map((text) => status("working", says(text, "m1")));
  const read = async (events: readonly object[]) => {
    const { call } = await streaming({ "message/stream": { events } });
    const { output, failure } = await call().end;
    return output ?? failure?.data;
  };

  test.each([
    ["pieces", ["It", " is", " ", "42."]],
    ["the same piece twice", ["It is ", "", "4", "2."]],
    ["the text so far", ["It", "It is", "It is 42."]],
    ["pieces, and then the whole", ["It is", " 42.", "It is 42."]],
  ])("had only the last as the answer: %s", async (_, texts) => {
    expect(await read([...pieces(texts), status("completed")])).toMatchObject({ response: "It is 42." });
    const last = texts.at(-1) ?? "";
    const ends = [...pieces(texts.slice(0, -1)), status("completed", says(last, "m1"))];
    expect(await read(ends)).toMatchObject({ response: "It is 42." });
    const asks = [...pieces(texts.slice(0, -1)), status("input-required", says(last, "m1"))];
    expect(await read(asks)).toMatchObject({ agent_says: "It is 42." });
    const repeated = result(taskIn("working", { status: { state: "working", ...says(last, "m1") } }));
    expect(await read([...pieces(texts), repeated, status("completed")])).toMatchObject({ response: "It is 42." });
  });

  test("another id begins another message, and an artifact is the answer", async () => {
    const two = [...pieces(["Searching", "…"]), status("working", says("It is 42.", "m2")), status("completed")];
    expect(await read(two)).toMatchObject({ response: "It is 42." });
    expect(await read([...pieces(["Sear", "ching"]), ...answered])).toMatchObject({ text: "The answer." });
  });
});

describe("J29: a first task without a status", () => {
  const bare = { id: "remote-1", contextId: "ctx-1" };

  test.each([
    ["no status", {}],
    ["a null status", { status: null }],
    ["a status without a state", { status: {} }],
    ["a status of null members", { status: { state: null, message: null } }],
    ["the number of its state", { status: { state: 0 } }],
  ])("was an invalid response: %s", async (_, members) => {
    const first = result({ task: { ...bare, ...members } });
    const events = [
      first,
      status10("working"),
      result({
        artifactUpdate: {
          taskId: "remote-1",
          contextId: "ctx-1",
          artifact: { artifactId: "a", parts: [{ text: "Yes." }] },
        },
      }),
      status10("completed"),
    ];
    const streamed = await streaming({ SendStreamingMessage: { events } }, { card: card10 });
    expect(await streamed.call().end).toMatchObject({ failure: undefined, attempts: 1, output: { text: "Yes." } });
    const plain = { ...card10, capabilities: {} };
    const polls = { SendMessage: first, GetTask: [result({ ...bare, ...members }), result(done10("Yes."))] };
    const polled = await streaming(polls, { card: plain });
    expect(await polled.call().end).toMatchObject({ failure: undefined, attempts: 1, output: { text: "Yes." } });
    expect(polled.agent.methods()).toEqual(["SendMessage", "GetTask", "GetTask"]);
  });

  test("numbers are states, as JSON of protocol buffers may have them", async () => {
    const done = { ...bare, status: { state: 3 }, artifacts: [{ artifactId: "a", parts: [{ text: "Yes." }] }] };
    const { call } = await streaming({ SendStreamingMessage: { events: [result({ task: done })] } }, { card: card10 });
    expect((await call().end).output).toMatchObject({ text: "Yes." });
  });
});

describe("J30: a card of 1.0 over a server of 0.3", () => {
  const expected = {
    error: "Invalid request body",
    issues: [{ message: "Expected 'message/send', received 'SendMessage'" }],
  };
  test.each([
    ["Mastra's HTTP 400", 400, expected],
    ["an HTTP 422 of pydantic", 422, { detail: [{ loc: ["body", "method"], msg: "Input should be 'message/send'" }] }],
    ["words about a method", 404, { error: "Unknown method: SendMessage" }],
    ["words about a version", 400, { message: "Unsupported A2A version" }],
    [
      "an invalid request of JSON-RPC",
      200,
      { jsonrpc: "2.0", id: "t1", error: { code: -32_600, message: "Unknown method SendMessage" } },
    ],
  ])("was not tried in the other version after %s", async (_, httpStatus, body) => {
    const refusal = { status: httpStatus, body };
    const answers = {
      SendMessage: refusal,
      SendStreamingMessage: refusal,
      "message/send": result(doneWith("By message/send.")),
    };
    for (const card of [card10, { ...card10, capabilities: {} }]) {
      const { agent, call } = await streaming(answers, { card });
      expect(await call().end).toMatchObject({ failure: undefined, output: { text: "By message/send." } });
      expect(agent.methods().at(-1)).toBe("message/send");
    }
  });

  test("other refusals are the agent's own", async () => {
    const refusal = { status: 400, body: { error: "The city is missing." } };
    const { agent, call } = await streaming({ SendMessage: refusal }, { card: { ...card10, capabilities: {} } });
    expect((await call().end).failure).toMatchObject({ kind: "http_error", code: 400 });
    expect(agent.methods()).toEqual(["SendMessage"]);
  });
});
