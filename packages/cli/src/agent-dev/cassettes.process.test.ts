import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test } from "vitest";
import { agentFolder, edit, runAgentCommand } from "../testing/run-agent-command.ts";
import type { Cassette } from "./cassette/cassette.ts";

const key = "sk-test-0123456789abcdef0123456789";

async function startModel(): Promise<LLMock> {
  const model = await LLMock.create({ port: 0, chunkSize: 4, latency: 1 });
  onTestFinished(() => model.stop().catch(() => undefined));
  model.onMessage(/capital of France/, { content: "Paris, the city of light." });
  model.onMessage(/^stream/, { content: "one two three four five" });
  model.onMessage(/Answer:/, (request) => {
    const holds = JSON.stringify(request).includes("Paris");
    return { content: JSON.stringify({ holds, reason: holds ? "It names Paris." : "It names no city." }) };
  });
  return model;
}

async function run(cwd: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const command = runAgentCommand(argv, { cwd, env });
  const code = await command.ended;
  return { code, text: command.output() };
}

const read = (path: string): Cassette => JSON.parse(readFileSync(path, "utf8")) as Cassette;

const record = async (cwd: string, model: LLMock, question: string): Promise<string> => {
  const name = question.replaceAll(/\W+/g, "-");
  const argv = ["dev", "agent.mjs", "--no-slack", "--ask", question, "--record", name];
  const told = await run(cwd, argv, { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: key });
  expect(told).toMatchObject({ code: 0, text: expect.stringContaining("1 message, 1 model request") as string });
  return join(cwd, "cassettes", `${name}.json`);
};

test("a conversation is recorded without the key, and replayed without the model", async () => {
  const cwd = agentFolder("model");
  const model = await startModel();
  const whole = await record(cwd, model, "What is the capital of France?");
  const streamed = await record(cwd, model, "stream numbers");
  await model.stop();

  expect(readFileSync(whole, "utf8") + readFileSync(streamed, "utf8")).not.toContain(key.slice(0, 15));
  const { answer, expect: judgements, wire, model: models } = read(streamed);
  expect({ answer, judgements }).toEqual({
    answer: { state: "completed", text: "one two three four five" },
    judgements: [{ exact: "one two three four five" }],
  });
  expect(wire).toMatchObject([{ request: { method: "SendMessage" }, status: 200 }]);
  expect(models).toMatchObject([{ provider: "openai", path: "/chat/completions", status: 200 }]);
  expect(models?.[0]?.chunks?.length).toBeGreaterThan(2);

  const told = await run(cwd, ["test", "--agent", "agent.mjs"]);
  expect(told).toMatchObject({ code: 0, text: expect.stringContaining("2 passed, 0 failed") as string });
});

test("a changed prompt is refused with the difference, and --record records it", async () => {
  const cwd = agentFolder("model");
  const model = await startModel();
  await record(cwd, model, "What is the capital of France?");
  edit(join(cwd, "agent.mjs"), "You are terse.", "You are verbose.");
  const refused = await run(cwd, ["test", "--agent", "agent.mjs", "--junit", "out.xml", "--json"]);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.text.slice(0, refused.text.lastIndexOf("}") + 1))).toMatchObject({
    failed: 1,
    cases: [
      {
        outcome: "failed",
        lines: expect.arrayContaining([
          "A model request equals no recorded one (- recorded, + now):",
          '-       "content": "You are terse.",',
          '+       "content": "You are verbose.",',
          "If the change is meant, record the case again: crosszone agent test --record",
        ]) as string[],
      },
    ],
  });
  expect(readFileSync(join(cwd, "out.xml"), "utf8")).toContain("You are verbose.");
  const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: key };
  expect(await run(cwd, ["test", "--agent", "agent.mjs", "--record"], env)).toMatchObject({ code: 0 });
  await model.stop();
  expect(await run(cwd, ["test", "--agent", "agent.mjs"])).toMatchObject({ code: 0 });
  const unwritten = await run(cwd, ["test", "--agent", "agent.mjs", "--junit", "none/out.xml"]);
  expect(unwritten.code).toBe(2);
  expect(unwritten.text).toMatch(/passed[^]*--junit: can't write "none\/out\.xml"/);
});

test("200 cases pass in less than 20 seconds, each with its own model exchanges", async () => {
  const cwd = agentFolder("model");
  const model = await startModel();
  const cassette = read(await record(cwd, model, "What is the capital of France?"));
  await model.stop();
  const text = JSON.stringify(cassette);
  for (let n = 0; n < 200; n += 1) {
    const own = text.replaceAll("capital of France", `capital of country ${n}`).replaceAll("Paris", `City ${n}`);
    const named = { ...(JSON.parse(own) as Cassette), name: `case ${n}` };
    writeFileSync(join(cwd, "cassettes", `case-${n}.json`), JSON.stringify(named));
  }
  const started = performance.now();
  const told = await run(cwd, ["test", "--agent", "agent.mjs"]);
  const tookMs = performance.now() - started;
  process.stderr.write(`201 cases: ${Math.round(tookMs)} ms\n`);
  expect(told).toMatchObject({ code: 0, text: expect.stringContaining("201 passed, 0 failed") as string });
  expect(tookMs).toBeLessThan(20_000);
});

test("a rubric is judged by the configured model; without one it is skipped loudly, or fails when required", async () => {
  const cwd = agentFolder("node");
  const model = await startModel();
  mkdirSync(join(cwd, "cassettes"));
  const rubric = "It counts the words.";
  const cassette = { name: "count", messages: [{ text: "Paris is big" }], expect: [{ contains: ["3"] }, { rubric }] };
  writeFileSync(join(cwd, "cassettes/count.json"), JSON.stringify(cassette));
  const skipped = await run(cwd, ["test", "--agent", "agent.mjs"]);
  expect(skipped).toMatchObject({ code: 0, text: expect.stringContaining("0 passed, 0 failed, 1 skipped") as string });
  expect(skipped.text).toContain("Rubrics were not judged: no language model is configured. Set CROSSZONE_JUDGE_MODEL");
  expect(await run(cwd, ["test", "--agent", "agent.mjs", "--require-rubric"])).toMatchObject({ code: 1 });
  const env = { OPENAI_BASE_URL: `${model.url}/v1`, CROSSZONE_JUDGE_MODEL: "openai/judge" };
  const judged = await run(cwd, ["test", "--agent", "agent.mjs"], env);
  expect(judged).toMatchObject({ code: 1, text: expect.stringContaining("rubric does not hold: It counts") as string });
  expect(judged.text).toContain("It names no city.");
});
