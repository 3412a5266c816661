// suite: both
import { randomUUID } from "node:crypto";
import type { PromptStep, WorkflowDefinition, WorkflowRun } from "@crosszone/contracts";
import { newSqliteDatabase, onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { Fires } from "../../fires/fire-store.ts";
import { anthropic, startModel, startWithModel } from "../../testing/start-with-model.ts";

const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };

const workflow = (more: Partial<PromptStep> = {}, rest: Partial<WorkflowDefinition> = {}): WorkflowDefinition => ({
  workflow_id: "count",
  name: "Count",
  version: "1",
  start_step: "ask",
  steps: { ask: { id: "ask", type: "prompt", prompt: "Count: ${workflow.input.text}", ...more } },
  ...rest,
});

/** Starts a zone with the answers of a model, and runs the workflow to its end. */
async function runWith(
  answers: readonly string[],
  {
    definition = workflow(),
    env = {},
    database,
  }: {
    readonly definition?: WorkflowDefinition;
    readonly env?: Record<string, string>;
    readonly database?: string;
  } = {},
) {
  const mock = await startModel();
  const usage = { input_tokens: 60, output_tokens: 5 };
  answers.forEach((content, sequenceIndex) => mock.on({ sequenceIndex }, { content, usage }));
  const zone = await startWithModel({ ...anthropic(mock), ...env }, [], database === undefined ? {} : { database });
  const { workflows } = zone.roles;
  await workflows.createVersion(definition);
  const input = { text: "a b c" };
  const requester = { requester: "U1", team_id: "T1", channel: "C1" };
  await workflows.startRun({ workflow_id: "count", input }, { runId: "run-1", requester });
  await expect.poll(async () => (await workflows.states("run-1"))?.record.ended_at).toBeDefined();
  const run = (await workflows.getRun("run-1"))?.run as WorkflowRun;
  const calls = await zone.database.db.selectFrom("model_call").selectAll().execute();
  return { run, calls, zone, asked: mock.getRequests().map(({ body }) => JSON.stringify(body)) };
}

onBothEngines("prompts", (newDatabase) => {
  test("a prompt calls the model once, and its use belongs to the requester and to the workflow", async () => {
    const definition = workflow({ system: "Be brief.", max_tokens: 100 });
    const { run, calls, asked } = await runWith(["three"], { definition, database: await newDatabase() });
    expect(run).toMatchObject({ state: "succeeded", output: { text: "three" } });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/Count: a b c/);
    expect(asked[0]).toMatch(/Be brief\./);
    expect(asked[0]).toMatch(/"max_tokens":100\b/);
    expect(calls).toMatchObject([{ task_id: "run-1", person: "U1", channel: "C1", agent: "count", estimated: 0 }]);
  });

  test("X26: the cap of a schedule pays for the runs of its fires, not for others with the same correlation id", async () => {
    const { zone } = await runWith(["one", "two", "three"], { database: await newDatabase() });
    const { workflows } = zone.roles;
    const fires = new Fires(zone.database, { retentionMs: 60_000 });
    const fire_id = randomUUID();
    const owner = { team_id: "T1", user_id: "U1" };
    const fire = {
      fire_id,
      title: "Nightly",
      owner,
      agent: "count",
      text: "x",
      channel: "C1",
      cap: { fires: 9, tokens: 100_000 },
    };
    await fires.add({ ...fire, source: "hook", name: "nightly", occasion: "1", scheduledAt: Date.now() });
    const spent = async () => {
      const used = zone.database.db.selectFrom("budget_use").select("used").where("subject", "=", "nightly");
      return (await used.where("unit", "=", "tokens").execute()).map((one) => one.used);
    };
    const run = async (runId: string, task_id: string | undefined) => {
      const request = { workflow_id: "count", input: { text: "a" }, correlation_id: fire_id };
      await workflows.startRun(request, { runId, requester: { requester: "token:ci", task_id } });
      await expect.poll(async () => (await workflows.states(runId))?.record.ended_at).toBeDefined();
    };
    await run("foreign", undefined);
    expect(await spent()).toEqual([]);
    await run("own", fire_id);
    expect(await spent()).toEqual([65]);
  });
});

test.each([
  [['{"n":3}'], { n: 3 }],
  [['```json\n{"n":3}\n```'], { n: 3 }],
  [["three", '{"n":3}'], { n: 3 }],
  [['{"n":"three"}', '{"n":3}'], { n: 3 }],
])("a schema makes %j the value %j", async (answers, output) => {
  const { run, asked } = await runWith(answers, { definition: workflow({ schema }) });
  expect(run).toMatchObject({ state: "succeeded", output });
  expect(asked).toHaveLength(answers.length);
});

test.each<
  [what: string, how: Parameters<typeof runWith>[1] & { readonly answers?: readonly string[] }, message: string]
>([
  [
    "two answers that do not match",
    { definition: workflow({ schema }), answers: ["three", '{"m":3}', '{"n":3}'] },
    "The model's answer does not match the schema: /n is missing.",
  ],
  [
    "a run's budget",
    { definition: workflow({}, { budget: { tokens: 5 } }) },
    "This run's budget for language models, 5 tokens, has no room for this.",
  ],
  [
    "the requester's budget",
    { env: { BUDGETS: "person/day=5tokens" } },
    "Your budget for language models, 5 tokens a day, has no room for this.",
  ],
  [
    "another model that is not configured",
    { definition: workflow({ model: "openai/gpt-5.2" }) },
    'The model "openai/gpt-5.2" can\'t be used: it needs OPENAI_API_KEY, which is not set.',
  ],
  [
    "no model",
    { env: { ANTHROPIC_API_KEY: "" } },
    "No language model is connected. An operator can set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL.",
  ],
])("%s fails the step with a sentence", async (_what, how, message) => {
  const { answers = ["three"] } = how ?? {};
  const { run, asked } = await runWith(answers, how);
  expect(run).toMatchObject({ state: "failed", error: { kind: "agent_failed", path: "ask" } });
  expect(run.error?.message).toContain(message);
  expect(asked).toHaveLength(answers.length - 1);
});

test("a budget of a run in dollars pays for some of its prompts, and the next one is refused", async () => {
  const next = { id: "more", type: "prompt", prompt: "more", on_error: "continue" } as const;
  const definition = workflow({ next_step: "more", max_tokens: 100 }, { budget: { usd: 0.002 } });
  const { run, calls, zone } = await runWith(["three", "four"], {
    definition: { ...definition, steps: { ...definition.steps, more: next } },
  });
  expect(run.steps.map(({ state }) => state)).toEqual(["succeeded", "failed"]);
  expect(calls).toHaveLength(1);
  const uses = await zone.database.db.selectFrom("budget_use").selectAll().execute();
  expect(uses).toMatchObject([{ scope: "run", subject: "run-1", unit: "usd" }]);
});

test("a check says that the zone has no model, and what is wrong with a schema", async () => {
  const zone = await startWithModel({});
  const { warnings, problems } = await zone.roles.workflows.validate(workflow({ schema: { type: "nothing" } }));
  expect(warnings).toEqual([{ pointer: "/steps/ask", message: "needs a language model, and this zone has none" }]);
  expect(problems[0]).toMatchObject({
    pointer: "/steps/ask/schema",
    message: expect.stringMatching(/^\/type must be/) as unknown,
  });
});

test("X36: any model id of a step was passed on: PROMPT_MODELS limits it, in new definitions and in what was stored before", async () => {
  const [database, mock] = [await newSqliteDatabase(), await startModel()];
  const [other, allowed] = ["anthropic/claude-opus-9", "anthropic/claude-haiku-4-5"];
  const before = await startWithModel(anthropic(mock), [], { database });
  await before.roles.workflows.createVersion(workflow({ model: other }));
  await before.stop();

  const env = { ...anthropic(mock), MODEL: "anthropic/claude-sonnet-4-6", PROMPT_MODELS: allowed };
  const { roles } = await startWithModel(env, [], { database });
  const { workflows } = roles;
  const message = `is not allowed in this zone; use ${allowed} or ${env.MODEL}`;
  expect(await workflows.createVersion(workflow({ model: other }, { version: "2" }))).toEqual({
    outcome: "invalid",
    problems: [{ pointer: "/steps/ask/model", message }],
  });
  for (const [at, model] of [allowed, env.MODEL, undefined].entries())
    expect(await workflows.validate(workflow({ model }, { version: `${at}` }))).toMatchObject({ problems: [] });

  await workflows.startRun({ workflow_id: "count", version: "1", input: { text: "a" } }, { runId: "run-1" });
  await expect.poll(async () => (await workflows.states("run-1"))?.record.ended_at).toBeDefined();
  expect((await workflows.getRun("run-1"))?.run).toMatchObject({
    state: "failed",
    error: { message: expect.stringContaining(`"${other}" is not allowed: PROMPT_MODELS`) as string },
  });
  expect(mock.getRequests()).toEqual([]);
});
