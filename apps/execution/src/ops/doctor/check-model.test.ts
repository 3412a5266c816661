import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { runChecks } from "@crosszone/ops/doctor";
import { expect, onTestFinished, test } from "vitest";
import { executionDoctor } from "./execution-doctor.ts";

async function consult(env: Record<string, string>) {
  const { checks, skip } = executionDoctor(env);
  const model = checks.filter(({ name }) => name === "model");
  const [result] = await runChecks(model, { timeoutMs: 10_000, ...(skip && { skip }) });
  return result;
}

test("sends one short question to the model", async () => {
  const mock = await LLMock.create({ port: 0 });
  onTestFinished(() => mock.stop());
  mock.on({ userMessage: "ok", model: "qwen3:8b" }, { content: "ok" });
  const server = { OPENAI_BASE_URL: `${mock.url}/v1` };
  expect(await consult({ ...server, MODEL: "openai/qwen3:8b" })).toMatchObject({
    status: "passed",
    says: expect.stringMatching(/^qwen3:8b \(OpenAI-compatible at 127\.0\.0\.1:\d+\) answers$/) as string,
  });
  const [sent] = mock.getRequests();
  expect(JSON.stringify(sent?.body)).toMatch(/"max_tokens":16/);
  expect(await consult({ ...server, MODEL: "openai/other" })).toMatchObject({ status: "failed" });
});

test("reports a missing model, and the error of a connected model", async () => {
  expect(await consult({})).toMatchObject({
    status: "skipped",
    says: expect.stringContaining("ANTHROPIC_API_KEY") as string,
  });
  const nobody = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
  expect(await consult(nobody)).toMatchObject({
    status: "failed",
    says: "MODEL is not set, and the server at OPENAI_BASE_URL doesn't list its models: it can't be reached",
    todo: ["Start the server, or set MODEL=openai/<id>."],
  });
  expect(await consult({ ...nobody, MODEL: "openai/x", OPENAI_API_KEY: "planted-key" })).toMatchObject({
    status: "failed",
    says: expect.stringContaining("unreachable") as string,
  });
  expect(await consult({ MODEL: "openai/x" })).toMatchObject({ status: "skipped" });
});

test("tries each model of ASSISTANT_FILE once, and reports the models that fail", async () => {
  const mock = await LLMock.create({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), "doctor-model-"));
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await mock.stop();
  });
  for (const model of ["one", "two"]) mock.on({ userMessage: "ok", model }, { content: "ok" });
  const ASSISTANT_FILE = join(folder, "assistant.json");
  const env = { OPENAI_BASE_URL: `${mock.url}/v1`, MODEL: "openai/one", ASSISTANT_FILE };
  const named = (...models: string[]) =>
    writeFileSync(
      ASSISTANT_FILE,
      JSON.stringify({ channels: Object.fromEntries(models.map((model, at) => [`C${at}`, { model }])) }),
    );
  named("openai/two", "openai/one", "openai/two");
  const both = /^one \(.*\) answers; two \(.*\) answers$/;
  expect(await consult(env)).toMatchObject({ status: "passed", says: expect.stringMatching(both) as string });
  expect(mock.getRequests()).toHaveLength(2);
  named("openai/three");
  const says = expect.stringMatching(/^one \(.*\) answers; three \(.*\): unknown_model/) as string;
  expect(await consult(env)).toMatchObject({
    status: "failed",
    says,
    todo: [expect.stringContaining("MODEL or ASSISTANT_FILE") as string],
  });
});
