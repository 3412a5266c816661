import { readCard } from "@crosszone/a2a";
import { describe, expect, test } from "vitest";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { errorOf, result, startCardedAgent, type CardedOptions } from "../testing/start-carded-agent.ts";

const modes = { defaultInputModes: ["text/plain", "image/*"], defaultOutputModes: ["text/plain"] };
const artifact = { artifactId: "a", parts: [{ text: "done" }] };
const task10 = { task: { id: "remote", status: { state: "TASK_STATE_COMPLETED" }, artifacts: [artifact] } };
const task03 = {
  kind: "task",
  id: "remote",
  status: { state: "completed" },
  artifacts: [{ artifactId: "a", parts: [{ kind: "text", text: "done" }] }],
};
const startCarded = (card: CardedOptions["card"], answers: CardedOptions["answers"]) =>
  startCardedAgent({ card, answers });

const card10 = (url: string, members: object = {}) => ({
  name: "A",
  ...modes,
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0", ...members }],
});

describe("I3: protocol auto", () => {
  test("calls an agent of A2A 1.0 at its card's URL with the methods of 1.0", async () => {
    const agent = await startCarded(card10("/a2a/jsonrpc", { tenant: "t" }), { SendMessage: result(task10) });
    const file = { name: "a.png", media_type: "image/png", size: 2, bytes: "aGk=" };
    const pdf = { name: "a.pdf", media_type: "application/pdf", size: 2, bytes: "aGk=" };
    const end = await agent.call({}, { context_id: "c", open_task_id: "o", files: [file, pdf] });
    expect(end).toMatchObject({ failure: undefined, attempts: 1, output: { text: "done" } });
    expect(agent.asked[0]).toMatchObject({ body: { method: "GetTask", params: { tenant: "t", id: "o" } } });
    expect(agent.asked.slice(1)).toEqual([
      {
        path: "/a2a/jsonrpc",
        version: "1.0",
        body: {
          jsonrpc: "2.0",
          id: "t1",
          method: "SendMessage",
          params: {
            tenant: "t",
            configuration: { returnImmediately: true },
            message: {
              role: "ROLE_USER",
              messageId: "msg-t1",
              contextId: "c",
              taskId: "o",
              parts: [{ text: "hi" }, { raw: "aGk=", mediaType: "image/png", filename: "a.png" }],
            },
          },
        },
      },
    ]);
  });

  test("an agent without a card is called as 0.3, then as 1.0 if it does not know the method", async () => {
    const old = await startCarded(undefined, { "message/send": result(task03) });
    expect(await old.call()).toMatchObject({ failure: undefined, attempts: 1 });
    const young = await startCarded(undefined, { SendMessage: result(task10) });
    expect(await young.call()).toMatchObject({ failure: undefined, attempts: 2, output: { text: "done" } });
    expect(young.asked.map(({ body }) => body.method)).toEqual(["message/send", "SendMessage"]);
  });

  test.each([-32_009, -32_601])(
    "a card that claims 1.0 for an agent of 0.3 costs one extra request, %i",
    async (code) => {
      const agent = await startCarded(card10("/"), { SendMessage: errorOf(code), "message/send": result(task03) });
      expect(await agent.call()).toMatchObject({ failure: undefined, attempts: 2, output: { text: "done" } });
    },
  );

  test.each([
    ["another origin", card10("http://127.0.0.1:1/"), /names the URL "http:\/\/127\.0\.0\.1:1\/".*register the agent/],
    ["no JSON-RPC", card10("/", { protocolBinding: "GRPC" }), /offers GRPC 1\.0, but Crosszone needs JSONRPC/],
    [
      "a binding that A2A does not define",
      card10("/", { protocolBinding: "https://example.com/Own", protocolVersion: "3" }),
      /offers https:\/\/example\.com\/Own 3, but Crosszone needs JSONRPC with A2A 1\.0 or 0\.3\. Add such an interface/,
    ],
    ["a future version", card10("/", { protocolVersion: "2.0" }), /offers JSONRPC 2\.0/],
  ])("a card with %s is refused with one sentence that says what to do", async (_, card, words) => {
    const agent = await startCarded(card, {});
    expect(await agent.call()).toMatchObject({ attempts: 0, failure: { message: expect.stringMatching(words) } });
    expect(agent.asked).toEqual([]);
  });

  test("a card that could not be fetched is fetched again before the next attempt", async () => {
    let fetched = 0;
    const agent = await startCarded(() => ((fetched += 1) === 1 ? "unreachable" : card10("/deep")), {
      "message/send": 404,
      SendMessage: result(task10),
    });
    expect(await agent.call()).toMatchObject({ failure: undefined, attempts: 1, output: { text: "done" } });
    expect(agent.asked).toMatchObject([{ path: "/" }, { path: "/deep", body: { method: "SendMessage" } }]);
  });

  test("a task that was sent in the other version is polled and canceled in that version", async () => {
    const working = { task: { id: "remote", status: { state: "TASK_STATE_WORKING" } } };
    const agent = await startCarded(
      { protocolVersion: "0.3.0", url: "/", ...modes },
      { SendMessage: result(working), GetTask: result(working.task), CancelTask: result(working.task) },
    );
    const stop = new AbortController();
    const { end } = agent.start({ options: { signal: stop.signal }, deadlineMs: 60_000_000 });
    await expect.poll(() => agent.methods()).toContain("GetTask");
    stop.abort(new AgentFailure("canceled", "The task was canceled."));
    await expect(end).rejects.toThrow("canceled");
    // A poll that was on its way may arrive after the cancellation, on another connection.
    const lastTwo = (): unknown[] => agent.asked.slice(-2).map(({ body }) => body);
    const cancel = expect.objectContaining({ method: "CancelTask", params: { id: "remote" } });
    await expect.poll(lastTwo).toContainEqual(cancel);
  });

  test("a task that another process sent in the other version is polled in that version", async () => {
    const agent = await startCarded({ protocolVersion: "0.3.0", url: "/", ...modes }, { GetTask: result(task10.task) });
    const { end } = agent.start({ options: { remoteId: "remote" } });
    expect(await end).toMatchObject({ failure: undefined, attempts: 0, output: { text: "done" } });
    expect(agent.methods()).toEqual(["tasks/get", "GetTask"]);
  });

  test("a card with a loopback address stands for the registered host", async () => {
    const answers = { SendMessage: result(task10) };
    const agent = await startCarded((port) => card10(`http://localhost:${port}/deep`), answers);
    expect(await agent.call()).toMatchObject({ failure: undefined });
    expect(agent.asked).toMatchObject([{ path: "/deep" }]);
  });
});

const cardOf03 = { url: "https://agent.example.com", protocolVersion: "0.3.0" };

test.each([
  [{ defaultInputModes: ["text/plain"] }, ["text/plain"]],
  [
    {
      defaultInputModes: ["text/plain"],
      skills: [{ inputModes: ["application/pdf", 7] }, { inputModes: "image/png" }, {}, null],
    },
    ["text/plain", "application/pdf"],
  ],
  [{ skills: [{ inputModes: ["image/*"] }] }, ["image/*"]],
  [{ inputModes: undefined }, []],
])("I5: the input modes of %j combine those of the card and of its skills", (members, inputModes) => {
  expect(readCard({ ...cardOf03, ...members })?.inputModes).toEqual(inputModes);
});
