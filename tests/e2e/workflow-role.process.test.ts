// suite: rest
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test, vi } from "vitest";
import { openWithoutHttp } from "@crosszone/execution/testing";
import type { LogLine } from "@crosszone/testkit/process";
import { startAgent, type TestAgent } from "@crosszone/testkit";
import { workflowOf } from "../harness/runs-api.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/temp-file.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

// Each test opens the connections of several processes.
const shouting = workflowOf(
  "shout-twice",
  [
    { id: "once", type: "agent", agent_name: "shout", input_mapping: { text: "hello" }, next_step: "twice" },
    { id: "twice", type: "agent", agent_name: "shout", input_mapping: { text: "${once.output.text}" } },
  ],
  { output_mapping: { text: "${twice.output.text}" } },
);

/** Opens a process with started roles that has registered the agent as `shout`. */
async function open(
  url: string,
  agent: TestAgent,
  env: Record<string, string>,
): Promise<Awaited<ReturnType<typeof openWithoutHttp>>> {
  const EXECUTION_FILE = writeAgentsFile([{ name: "shout", url: agent.url }]);
  const opened = await openWithoutHttp(url, { EXECUTION_FILE, AGENT_ORIGINS: agent.origin, ...env });
  await opened.start();
  return opened;
}

onBothEngines("the role workflow", (newDatabase) => {
  test("a run that a process without the role starts is performed by a process with it, in the same trace", async () => {
    const agent = await startAgent((text) => `${text.toUpperCase()}!`);
    const url = await newDatabase();
    const asking = await open(url, agent, { EXECUTION_ROLES: "rpc", WORKFLOWS_DIR: writeWorkflows(shouting) });
    const bridge = await open(url, agent, { EXECUTION_ROLES: "bridge" });
    const trace = randomBytes(16).toString("hex");
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const request = { workflow_id: "shout-twice", correlation_id: "of-this-run" };
    const started = await asking.workflows.startRun(request, { headers });
    if (!("run" in started)) throw new Error(started.outcome);
    const { run_id } = started.run;
    await vi.waitFor(() => expect(agent.requests).toHaveLength(1));
    await vi.waitFor(async () => expect(await bridge.shown()).toMatch(/^bridge_call_requests_total\{.*\} 1$/m));
    expect(await asking.workflows.getRun(run_id)).toMatchObject({ run: { state: "running" } });
    expect(await asking.shown()).toContain("workflow_runs_open 1\n");

    const working = await open(url, agent, { EXECUTION_ROLES: "workflow" });
    await vi.waitFor(async () => {
      expect(await asking.workflows.getRun(run_id)).toMatchObject({
        run: { state: "succeeded", output: { text: "HELLO!!" } },
      });
    });
    expect(agent.requests.map(({ headers: sent }) => [sent["x-correlation-id"], sent["traceparent"]])).toEqual([
      ["of-this-run", headers.traceparent],
      ["of-this-run", headers.traceparent],
    ]);
    const told = (log: readonly LogLine[]) => log.filter((line) => line["run_id"] === run_id).map(({ event }) => event);
    expect(told(asking.log)).toEqual(["run_started"]);
    // The end is logged after it is stored.
    await vi.waitFor(() => expect(told(working.log)).toEqual(["run_ended"]));
    const lines = [...asking.log, ...bridge.log, ...working.log].filter((line) => line["run_id"] === run_id);
    expect(new Set(lines.map(({ trace_id }) => trace_id))).toEqual(new Set([trace]));
    const shown = await working.shown();
    expect(shown).toContain('workflow_run_requests_total{workflow="shout-twice",outcome="succeeded"} 1\n');
    expect(shown).toContain("workflow_runs_open 0\n");
  });
});

/** Passes all available data to agents of both protocols. */
const whole = "${workflow.input}";
const newer = {
  id: "newer",
  type: "agent",
  agent_name: "proofreader",
  input_mapping: { text: `All: ${whole}` },
} as const;
const said = { text: "Said: ${newer.output}", all: whole };
const older = { id: "older", type: "agent", agent_name: "fingerprint", input_mapping: said } as const;
const nosy = workflowOf("nosy", [{ ...newer, next_step: "older" }, older], {
  input_schema: { type: "object", properties: { text: {}, thread: {}, attachments: {} } },
  output_mapping: { text: "${older.output.text}", input: whole },
});

/** Asks in a thread with a file, and waits for the answer. `rows`: those of the tables about runs, as JSON. */
async function ask() {
  const DATA_DIR = tempFolder();
  const zones = await startWithAgents({ env: { DATA_DIR, WORKFLOWS_DIR: writeWorkflows(nosy) } });
  const root = zones.write({ channel: "general", text: "What was said before." });
  const files = [{ name: "ages.csv", mimetype: "text/csv", content: "name,age\nAda,36\n" }];
  const { channel, ts: thread_ts } = root;
  await zones.answerTo(zones.write({ channel, thread_ts, text: "@Crosszone run nosy: hello there", files }), 60_000);
  const { run_id: runId, correlation_id: correlationId } = await zones.api.latest();
  const database = new DatabaseSync(join(DATA_DIR, "execution.sqlite"), { readOnly: true });
  const rowsOf = (table: string) => [table, JSON.stringify(database.prepare(`select * from ${table}`).all())];
  const tables = ["workflow_run", "workflow_step", "job where kind <> 'task'"];
  const rows = Object.fromEntries(tables.map(rowsOf)) as Record<string, string>;
  database.close();
  return { zones, runId, correlationId, rows };
}

test("S14: a run shows who started it and where, its agents learn neither, and it has no token, file or other person of Slack", async () => {
  const { zones, runId, rows } = await ask();
  const { team, users, channels } = zones.slack.control.workspace();
  const files = zones.slack.control
    .messages({ channel: "general" })
    .flatMap((message) => message.files ?? [])
    .flatMap(({ id, url_private_download: link }) => [id, link]);
  const ofSlack = [
    zones.slack.botToken,
    zones.slack.signingSecret,
    ...[...users, ...channels].map(({ id }) => id),
    ...files,
    "czh_",
  ];
  const { requester = "", channel: place = "" } = await zones.api.latest();
  const whoAndWhere = [team.id, requester, place];
  expect(users.map(({ id }) => id)).toContain(requester);
  const asked = ["proofreader", "fingerprint"].map((name) => JSON.stringify(zones.agents.control(name).asked));
  const shown = await Promise.all(
    [`/runs/${runId}`, `/runs/${runId}/graph`, `/runs/${runId}/attempts?path=older`, "/runs"].map(zones.api.get),
  );
  const places = { ...rows, agents: asked.join("\n"), api: JSON.stringify(shown) };
  for (const [name, text] of Object.entries(places)) {
    const found = [team.id, ...ofSlack].filter((secret) => text.includes(secret));
    const isOfRun = name === "workflow_run" || name === "api";
    expect([name, found.toSorted()]).toEqual([name, isOfRun ? whoAndWhere.toSorted() : []]);
  }
  // The searched text is from a real run.
  for (const text of [rows["workflow_run"], rows["workflow_step"], places.api, ...asked]) {
    expect(text).toContain("hello there");
    expect(text).toContain("What was said before.");
    expect(text).toContain("ages.csv");
  }
  expect(files).toHaveLength(2);
});

test("Z13, L7, R5.5, R7.5: one id leads from the message in Slack to the run, to each request of its agents, and through the logs of both zones", async () => {
  const { zones, runId, correlationId } = await ask();
  const accepted = zones.log.filter(({ event }) => event === "event_accepted").at(-1);
  expect(correlationId).toBe(accepted?.["correlation_id"]);
  expect(await zones.api.get(`/runs?correlation_id=${correlationId}`)).toMatchObject({ runs: [{ run_id: runId }] });
  const requests = ["proofreader", "fingerprint"].flatMap((name) => zones.agents.control(name).asked);
  expect(requests.map(({ headers }) => headers["x-correlation-id"])).toEqual([correlationId, correlationId]);
  expect(requests.map(({ headers }) => headers["idempotency-key"])).toEqual([
    `${runId}/${runId}.newer.1`,
    `${runId}/${runId}.older.1`,
  ]);
  const lines = zones.log.filter((line) => line["correlation_id"] === correlationId);
  expect(new Set(lines.map(({ zone }) => zone))).toEqual(new Set(["verification", "execution"]));
  const eventsOf = (id: string): unknown[] =>
    lines.filter(({ run_id, task_id }) => (task_id ?? run_id) === id).map(({ event }) => event);
  expect(eventsOf(runId)).toEqual(expect.arrayContaining(["task_started", "run_started", "run_ended", "task_ended"]));
  for (const step of ["newer", "older"])
    expect(eventsOf(`${runId}.${step}.1`)).toEqual(
      expect.arrayContaining(["bridge_call_stored", "agent_call_ended", "bridge_call_ended"]),
    );
});
