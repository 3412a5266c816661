// suite: rest
import { resolve } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test, vi } from "vitest";
import { startExecutionProcess } from "@crosszone/testkit/process";
import { startOtlpCollector } from "../harness/otlp-collector.ts";
import { postAs, rpcOf } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** Returns the spans that execution sends to a collector for a question with two secrets. */
async function spansOfQuestion(env: Record<string, string>) {
  const collector = await startOtlpCollector();
  const mock = await LLMock.create({ port: 0 });
  onTestFinished(() => mock.stop());
  mock.on({ userMessage: "planted", hasToolResult: true }, { content: "It is planted-answer." });
  const asked = { name: "builtin", arguments: { text: "17% of 431" } };
  mock.on({ userMessage: "planted" }, { toolCalls: [asked] });
  const zone = await startExecutionProcess({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OPENAI_BASE_URL: `${mock.url}/v1`,
    MODEL: "openai/local-1",
    ...env,
  });
  const text = "planted-question: 17% of 431, and my key is xoxb-1-secret";
  const params = { channel: "C1", text, bot_token: "czh_1", user_id: "U1" };
  const answer = await postAs("none", { traceparent })(`${zone.url}/rpc`, rpcOf("execute_task", params));
  expect(answer.text).toContain("It is planted-answer.");
  expect(await zone.stop()).toBe(0);
  expect(collector.problems).toEqual([]);
  return collector;
}

test("R5.5: model calls reach a collector in the caller's trace, by the conventions and without content", async () => {
  const { spans, raw } = await spansOfQuestion({});
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  const links = spans.map(({ name, parentSpanId = "" }) => `${names.get(parentSpanId) ?? "caller"} > ${name}`);
  expect(links.toSorted()).toEqual([
    "caller > execute_task",
    "execute_task > run_task",
    "execute_tool builtin > invoke_agent builtin",
    "invoke_agent assistant > chat local-1",
    "invoke_agent assistant > chat local-1",
    "invoke_agent assistant > execute_tool builtin",
    "run_task > invoke_agent assistant",
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceparent.slice(3, 35)]));
  const chat = spans.find(({ name }) => name === "chat local-1");
  expect(chat).toMatchObject({
    kind: 3,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai-compatible",
      "gen_ai.response.finish_reasons": ["tool-calls"],
      "gen_ai.usage.input_tokens": expect.anything() as number,
      "gen_ai.usage.output_tokens": expect.anything() as number,
    },
  });
  expect(raw.join("\n")).not.toMatch(/planted|xoxb|\b431\b|73\.27/);
});

test("S14: content is sent if configured, without the tokens in it", async () => {
  const { spans, raw } = await spansOfQuestion({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "SPAN_ONLY" });
  const sent = JSON.stringify(spans.map(({ attributes }) => attributes));
  for (const said of ["planted-question", "planted-answer", "73.27", "[redacted]"]) expect(sent).toContain(said);
  expect(raw.join("\n")).not.toMatch(/xoxb-1-secret/);
});

/** Starts both zones with the recorded model of `pnpm demo:model`. */
async function startDemo() {
  const model = await LLMock.create({ port: 0, chunkSize: 8, latency: 30 });
  onTestFinished(() => model.stop());
  model.loadFixtureFile(resolve(import.meta.dirname, "../../examples/models/demo.json"));
  const zones = await startWithAgents({
    env: { OPENAI_BASE_URL: `${model.url}/v1`, MODEL: "openai/demo" },
  });
  return { ...zones, model };
}

test("G1, G2: a recorded model streams a story, asks an agent as its tool, writes a file, and reads it", async () => {
  const { write, answerTo, replies, slack } = await startDemo();
  const story = write({ text: "tell me a story" });
  await vi.waitFor(() => expect(replies(story)[0]?.text).toContain("Once there were two rooms."));
  expect(replies(story)[0]?.stream?.state).toBe("in_progress");
  expect((await answerTo(story, 60_000)).text).toContain("And the keys had stayed where they belonged.");

  const proofread = await answerTo(write({ text: "proofread this: This is is a test ." }), 60_000);
  expect(proofread.text).toMatch(/^Let me ask the proofreader\.\s+The proofreader found/);
  const calls = slack.control.traffic().filter(({ name }) => name === "execute_task");
  expect(JSON.stringify(calls)).toContain('"Ask proofreader"');

  const table = write({ text: "make a file" });
  await answerTo(table, 60_000);
  const { files = [] } = await slack.control.waitForMessage(
    (message) => message.thread_ts === table.ts && message.files !== undefined,
  );
  expect(files).toMatchObject([{ name: "zones.csv" }]);

  const content = slack.control.file(files[0]?.id ?? "").bytes.toString();
  const attached = [{ name: "zones.csv", mimetype: "text/csv", content }];
  expect((await answerTo(write({ text: "what is this?", files: attached }), 60_000)).text).toContain(
    "a table of two rows",
  );
});

test("T5: Stop while the model writes closes its socket, and no more of the story is shown", async () => {
  const { write, answerTo, replies, slack, model } = await startDemo();
  const story = write({ text: "tell me a story" });
  await vi.waitFor(() => expect(replies(story)[0]?.text).toContain("Once there were"));
  const began = performance.now();
  slack.control.stop({ channel: story.channel, thread_ts: story.ts, user: "alice" });
  const { text, blocks } = await answerTo(story);
  expect(text).toContain("Once there were");
  expect(JSON.stringify(blocks)).toContain("Stopped.");
  expect(text).not.toContain("the keys had stayed");
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(model.getRequests()).toHaveLength(1);
});
