import { startAdminApi } from "@crosszone/admin-api/testing";
import { createAppendAudit } from "@crosszone/audit";
import type { Fire, ParamProblem, Schedule, ScheduleList, ScheduleSettings } from "@crosszone/contracts";
import { createRecordCodec } from "@crosszone/service-kit";
import { tempFile } from "@crosszone/testkit/temporary";
import { writeFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { Schedules } from "../../fires/schedule-store.ts";
import { openExecutionDatabase } from "../../store/open-execution-database.ts";
import { anthropic, startModel, startWithModel } from "../../testing/start-with-model.ts";
import { startZone, type TestZone } from "../../testing/start-zone.ts";
import { personChanger } from "../../fires/changer.ts";
import { createScheduleRoutes } from "../api/schedule-routes.ts";

const until = (check: () => unknown) => vi.waitFor(check);
const owner = { team_id: "T1", user_id: "U1" };
const settings: ScheduleSettings = { owner, every_ms: 86_400_000, agent: "builtin", text: "Hello", cap: { fires: 9 } };
const person = { name: "daily", ...owner };

async function result<Result>(zone: TestZone, method: string, params: object): Promise<Result> {
  const answer = await zone.call(method, params);
  if ("error" in answer) throw new Error(JSON.stringify(answer.error));
  return answer.result as Result;
}

const schedulesOf = async (zone: TestZone, by: object = owner): Promise<readonly Schedule[]> =>
  (await result<ScheduleList>(zone, "list_schedules", by)).schedules;

/** Fires a schedule and does what verification does, until its question has ended. */
async function fireOnce(zone: TestZone, name = "daily") {
  await zone.call("change_schedule", { ...person, name, change: "fire" });
  const { fires } = await result<{ fires: Fire[] }>(zone, "list_fires", { team_ids: ["T1"], wait_ms: 500 });
  const fire = fires.find((one) => one.name === name) as Fire;
  const { fire_id, agent, text } = fire;
  expect(await result(zone, "take_fire", { fire_id, outcome: "accepted" })).toEqual({ state: "running" });
  const asked = { channel: "D1", text, agent, bot_token: "handle", ...owner, fire_id };
  const answer = await zone.call("execute_task", asked, fire_id);
  const received_at = "2026-11-28T08:00:00Z";
  const report = { reference: fire_id, revision: 1, state: "answered", attempts: 1, received_at };
  const place = { ...owner, channel: "D1", ts: "1.1", thread_ts: "1.1" };
  await result(zone, "report_messages", { messages: [{ ...report, ...place }] });
  return { fire_id, answer };
}

test("W18: a schedule's fire is a task with its id, asked as its owner, and its end counts", async () => {
  const zone = await startZone(undefined, {});
  const saved = await result<{ schedule: object }>(zone, "save_schedule", { name: "daily", settings });
  expect(saved.schedule).toMatchObject({ name: "daily", source: "slack", state: "active", changed_by: "person:U1" });
  const { fire_id, answer } = await fireOnce(zone);
  expect(answer).toMatchObject({ result: { status: "success", task_id: fire_id } });
  const last_fire = { fire_id, state: "ended", outcome: "answered" };
  await until(async () =>
    expect(await schedulesOf(zone)).toMatchObject([{ failures: 0, used: { fires: 1 }, last_fire }]),
  );
  expect(await schedulesOf(zone, { ...owner, user_id: "U2" })).toEqual([]);
  const acts = (await zone.acts()).filter(({ target }) => target.id === "daily");
  expect(acts.map(({ action, surface, actor }) => `${action} ${surface} ${actor.id}`)).toEqual([
    "schedule.create slack U1",
    "schedule.fire slack U1",
  ]);
});

test("P4: a time that is due is a fire as the contract has it", async () => {
  const url = `sqlite:${tempFile("zone.db", "")}`;
  const zone = await startZone(undefined, { database: url });
  const every = { ...settings, jitter_ms: 0, missed: "all" as const };
  await result(zone, "save_schedule", { name: "daily", settings: every });
  const database = await openExecutionDatabase({ url });
  onTestFinished(() => database.close());
  const at = Date.now() - 1_000;
  await database.db.updateTable("schedule").set({ next_at: at, due_at: at }).execute();
  const { fires } = await result<{ fires: Fire[] }>(zone, "list_fires", { team_ids: ["T1"], wait_ms: 5_000 });
  expect(fires).toMatchObject([{ name: "daily", state: "due", scheduled_at: new Date(at).toISOString() }]);
  expect(await schedulesOf(zone)).toMatchObject([{ last_fire: { fire_id: fires[0]?.fire_id } }]);
});

test("an answer that is an error reply counts as a failure, with the kind of the error", async () => {
  const broken = { name: "broken", description: "", skills: [], run: async () => Promise.reject(new Error("no")) };
  const zone = await startZone([broken], {});
  await result(zone, "save_schedule", { name: "daily", settings: { ...settings, agent: "broken", pause_after: 1 } });
  const { answer } = await fireOnce(zone);
  expect(answer).toMatchObject({ error: { data: { kind: "internal" } } });
  const last_fire = { reason: "internal", outcome: "answered" };
  await until(async () => expect(await schedulesOf(zone)).toMatchObject([{ failures: 1, state: "paused", last_fire }]));
});

test("what a caller may not do with schedules and fires is invalid_params, by its member", async () => {
  const zone = await startZone(undefined, {});
  await result(zone, "save_schedule", { name: "daily", settings });
  const fire_id = crypto.randomUUID();
  const asked = { channel: "D1", text: "Hello", bot_token: "handle", fire_id };
  const wrong: readonly [string, object, string, string?][] = [
    ["save_schedule", { name: "daily", settings }, "/name"],
    ["save_schedule", { name: "other", settings: { ...settings, zone: "UTC" } }, "/settings/zone"],
    ["change_schedule", { ...person, user_id: "U2", change: "pause" }, "/name"],
    ["take_fire", { fire_id, outcome: "accepted" }, "/fire_id"],
    ["execute_task", asked, "/fire_id", fire_id],
    ["execute_task", asked, "/fire_id", "another-id"],
  ];
  for (const [method, params, pointer, id] of wrong)
    expect(await zone.call(method, params, ...(id === undefined ? [] : [id]))).toMatchObject({
      error: { data: { kind: "invalid_params", problems: [{ pointer }] } },
    });
  expect(await zone.call("save_schedule", { name: "other", settings: { ...settings, agent: "nobody" } })).toMatchObject(
    { error: { data: { kind: "unknown_agent" } } },
  );
  await result(zone, "save_schedule", { name: "daily", settings: { ...settings, cap: { fires: 1 } }, replaces: true });
  await fireOnce(zone);
  expect(await zone.call("change_schedule", { ...person, change: "fire" })).toMatchObject({
    error: { data: { kind: "rate_limited", retry_after_ms: expect.any(Number) as number } },
  });
});

test("U3: a cap of tokens refuses a model call of a fire before it is made, and what is shown is what refuses", async () => {
  const mock = await startModel();
  mock.on({}, { content: "Hello.", usage: { input_tokens: 1_000, output_tokens: 2_500 } });
  const zone = await startWithModel({ ...anthropic(mock) });
  const capped = { ...settings, agent: "assistant", cap: { tokens: 9_000 } };
  await result(zone, "save_schedule", { name: "daily", settings: capped });
  const note = "_This schedule's budget for language models, 9,000 tokens a day, is 80% used._";
  const answers = [await fireOnce(zone), await fireOnce(zone), await fireOnce(zone)].map(({ answer }) => answer);
  expect(answers).toMatchObject([
    { result: { response_text: "Hello." } },
    { result: { response_text: `Hello.\n\n${note}` } },
    { error: { data: { agent_says: expect.stringMatching(/^This schedule's budget .* has no room for this\./) } } },
  ]);
  expect(mock.getRequests()).toHaveLength(2);
  expect((await schedulesOf(zone))[0]?.used).toEqual({ fires: 3, tokens: 7_000, usd: 0.081 });
  // Neither a workflow nor one in it goes beyond it.
  const { workflows } = zone.roles;
  const ask = { id: "ask", type: "prompt", prompt: "Hi" } as const;
  const inner = { workflow_id: "inner", name: "Inner", version: "1", start_step: "ask", steps: { ask } };
  await workflows.createVersion(inner);
  const steps = { sub: { id: "sub", type: "workflow", workflow: "inner" } } as const;
  await workflows.createVersion({ ...inner, workflow_id: "outer", start_step: "sub", steps });
  for (const [agent, path] of [
    ["inner", "ask"],
    ["outer", "sub"],
  ] as const) {
    const [name, more] = [`of-${agent}`, { ...capped, agent }];
    await result(zone, "save_schedule", { name, settings: more });
    const runs: unknown[] = [];
    for (let fire = 1; fire <= 3; fire += 1) {
      const { fire_id } = await fireOnce(zone, name);
      await until(async () => expect((await workflows.states(fire_id))?.record.ended_at).toBeDefined());
      runs.push((await workflows.getRun(fire_id))?.run);
    }
    const error = { path, message: expect.stringMatching(/This schedule's budget .* has no room for this\./) };
    expect(runs).toMatchObject([{ state: "succeeded" }, { state: "succeeded" }, { state: "failed", error }]);
    const shown = (await schedulesOf(zone)).find((one) => one.name === name);
    expect(shown?.used).toMatchObject({ fires: 3, tokens: 7_000 });
  }
  expect(mock.getRequests()).toHaveLength(6);
  // A question of a person does not count.
  const asked = { channel: "C1", text: "Hello", agent: "assistant", bot_token: "handle", ...owner };
  expect(await zone.call("execute_task", asked)).toMatchObject({ result: { status: "success" } });
});

const entry = (name: string, more = "") => `  - name: ${name}
    owner: {team_id: T1, user_id: U1}
    cron: "30 9 * * 1-5"
    zone: Europe/Berlin
    agent: builtin
    text: Hello
    cap: {fires: 24}
${more}`;

test("the section schedules is followed: what it lists is created, changed and removed", async () => {
  const path = tempFile("schedules.yaml", `schedules:\n${entry("one")}${entry("two")}`);
  const zone = await startZone(undefined, { env: { EXECUTION_FILE: path } });
  const shown = () => schedulesOf(zone);
  expect((await shown()).map(({ name }) => name)).toEqual(["one", "two"]);
  writeFileSync(path, `schedules:\n${entry("one", "    title: Daily\n")}`);
  await until(async () =>
    expect(await shown()).toMatchObject([{ name: "one", source: "file", settings: { title: "Daily" } }]),
  );
  const problems = () => zone.log.filter(({ event }) => event === "settings_not_usable").map((line) => line["because"]);
  await result(zone, "save_schedule", { name: "mine", settings });
  writeFileSync(path, `schedules:\n${entry("mine")}${entry("two")}`);
  await until(() => expect(problems().at(-1)).toMatch(/mine is the name of another schedule/));
  expect((await shown()).map(({ name }) => name)).toEqual(["mine", "two"]);
  expect(
    (await zone.acts()).filter(({ actor }) => actor.id === "file:schedules.yaml").map(({ action }) => action),
  ).toEqual(["create", "create", "remove", "change", "remove", "create"].map((act) => `schedule.${act}`));
});

const triage = {
  workflow_id: "triage",
  version: "1",
  number: 1,
  name: "Triage",
  created_at: 1,
  definition: "{}",
  summary: "{}",
  author: null,
};

test("J34, Q20, Q30: the API creates, changes, fires and removes schedules, and lists what they started", async () => {
  const database = await openExecutionDatabase({ url: "sqlite::memory:" });
  onTestFinished(() => database.close());
  const append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(undefined) });
  const schedules = new Schedules(database, { append, emit: () => undefined, retentionMs: 1_000 });
  const { ask } = await startAdminApi({ parts: [createScheduleRoutes(schedules)] });
  const send = async (line: string, body?: object) => {
    const json = { "content-type": "application/json" };
    const { status, body: answered } = await (body === undefined ? ask(line) : ask(line, body, json));
    return [status, answered] as const;
  };
  const other = { ...settings, text: "Good morning" };
  type Row = readonly [line: string, body: object | undefined, status: number, shown: object];
  const check = async (rows: readonly Row[]): Promise<void> => {
    for (const [line, body, ...answer] of rows)
      expect([line, ...(await send(line, body))]).toMatchObject([line, ...answer]);
  };
  await check([
    ["POST /schedules", { name: "daily", settings }, 201, { source: "api", name: "daily" }],
    ["POST /schedules", { name: "daily", settings }, 409, { title: "A schedule has this name" }],
    ["PATCH /schedules/daily", other, 200, { settings: other }],
    ["PATCH /schedules/daily", { ...settings, zone: "UTC" }, 422, { problems: [{ pointer: "/zone" }] }],
    ["PATCH /schedules/other", other, 404, { title: "Schedule not found" }],
  ]);
  await database.db.insertInto("workflow").values(triage).execute();
  const problemsOf = async (line: string, body: object) => {
    const [status, answered] = await send(line, body);
    const { problems = [] } = answered as { readonly problems?: readonly ParamProblem[] };
    return [status, ...problems.map(({ pointer, message }) => `${pointer} ${message}`)];
  };
  expect(await problemsOf("POST /schedules", { name: "X", settings: { agent: "triag", cron: "61 9 * * *" } })).toEqual([
    422,
    expect.stringMatching(/^\/name /),
    "/settings/owner is missing",
    "/settings/cap is missing",
    "/settings/zone belongs to cron: give both or neither",
    "/settings/text is needed, or input, but not both",
    "/settings/cron has 61 as minute: write 0 to 59",
    "/settings/agent is no agent or workflow: did you mean triage?",
  ]);
  const unknown = await problemsOf("PATCH /schedules/daily", { ...other, agent: "nobody" });
  expect(unknown).toEqual([422, "/agent is no agent or workflow"]);
  // What left after it was written is told, and can be changed otherwise.
  await check([["POST /schedules", { name: "left", settings: { ...other, agent: "triage" } }, 201, {}]]);
  await database.db.deleteFrom("workflow").execute();
  const warnings = ["triage is no agent or workflow"];
  await check([
    ["GET /schedules/left", undefined, 200, { warnings }],
    ["PATCH /schedules/left", { ...settings, agent: "triage" }, 200, { warnings }],
  ]);
  expect((await send("DELETE /schedules/left"))[0]).toBe(204);
  for (let n = 0; n < 3; n += 1)
    await schedules.save({ name: `s-${n}`, settings: { ...settings, cap: { fires: 1 } } }, personChanger(owner));
  const [, first] = (await send("GET /schedules?limit=3")) as [number, { schedules: object[]; next_cursor: string }];
  expect(first).toMatchObject({ schedules: [{ name: "daily" }, { name: "s-0" }, { name: "s-1" }] });
  const overlap = { state: "skipped", reason: "The fire before has not ended." };
  await check([
    [`GET /schedules?limit=3&cursor=${first.next_cursor}`, undefined, 200, { schedules: [{ name: "s-2" }] }],
    ["POST /schedules/s-0/pause", undefined, 200, { state: "paused", next_at: [] }],
    ["GET /schedules?state=paused&owner=U1", undefined, 200, { schedules: [{ name: "daily" }, { name: "s-0" }] }],
    ["GET /schedules?owner=U2", undefined, 200, { schedules: [] }],
    ["POST /schedules/s-0/resume", undefined, 200, { state: "active" }],
    ["POST /schedules/daily/fire", undefined, 409, { title: "The owner of the schedule has not allowed it" }],
    ["POST /schedules/s-0/fire", undefined, 200, { state: "due", text: "Hello" }],
    ["POST /schedules/s-0/fire", undefined, 200, overlap],
    ["POST /schedules/s-1/fire", undefined, 200, { state: "due" }],
  ]);
  const [, fires] = (await send("GET /fires?limit=2")) as [number, { fires: object[]; next_cursor: string }];
  expect(fires).toMatchObject({ fires: [{ name: "s-1" }, { name: "s-0", state: "skipped" }] });
  await check([
    [`GET /fires?cursor=${fires.next_cursor}`, undefined, 200, { fires: [{ name: "s-0", state: "due" }] }],
    ["GET /fires?name=s-0&state=due&source=schedule", undefined, 200, { fires: [{ state: "due" }] }],
    ["GET /fires?source=hook", undefined, 200, { fires: [] }],
  ]);
  expect((await send("DELETE /schedules/daily"))[0]).toBe(204);
  await check([["GET /schedules/daily", undefined, 404, { title: "Schedule not found" }]]);
});
