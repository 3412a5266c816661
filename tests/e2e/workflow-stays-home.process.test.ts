import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { WorkflowDefinition } from "@crosszone/contracts";
import { expect, onTestFinished, test, vi } from "vitest";
import { startWithWorkflows, type WithWorkflows } from "../harness/start-with-agents.ts";
import { writeWorkflows } from "../harness/write-definitions.ts";

// Each test starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Passes all available data to agents of both protocols. */
const nosy: WorkflowDefinition = {
  workflow_id: "nosy",
  name: "Nosy",
  version: "1",
  input_schema: { type: "object", properties: { text: {}, thread: {}, attachments: {} } },
  start_step: "newer",
  steps: {
    newer: {
      id: "newer",
      type: "agent",
      agent_name: "proofreader",
      input_mapping: { text: "All: ${workflow.input}" },
      next_step: "older",
    },
    older: {
      id: "older",
      type: "agent",
      agent_name: "fingerprint",
      input_mapping: { text: "Said: ${newer.output}", all: "${workflow.input}" },
    },
  },
  output_mapping: { text: "${older.output.text}", input: "${workflow.input}" },
};

interface Asked {
  readonly zones: WithWorkflows;
  readonly runId: string;
  readonly correlationId: string;
  /** Rows of the tables about runs, as JSON. */
  readonly rows: Readonly<Record<string, string>>;
}

/** Asks in a thread with a file, and waits for the answer. */
async function ask(): Promise<Asked> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "crosszone-home-"));
  onTestFinished(() => rm(DATA_DIR, { recursive: true }));
  const zones = await startWithWorkflows({ env: { DATA_DIR, WORKFLOWS_DIR: await writeWorkflows(nosy) } });
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

test("S14: a run stores, shows and sends nothing of Slack: no token, and no id of a person, channel, team or file", async () => {
  const { zones, runId, rows } = await ask();
  const { team, users, channels } = zones.slack.control.workspace();
  const files = zones.slack.control
    .messages({ channel: "general" })
    .flatMap((message) => message.files ?? [])
    .flatMap(({ id, url_private_download: link }) => [id, link]);
  const ofSlack = [
    zones.slack.botToken,
    zones.slack.signingSecret,
    team.id,
    ...[...users, ...channels].map(({ id }) => id),
    ...files,
    "czh_",
  ];
  const asked = ["proofreader", "fingerprint"].map((name) => JSON.stringify(zones.agents.control(name).asked));
  const shown = await Promise.all(
    [`/runs/${runId}`, `/runs/${runId}/graph`, `/runs/${runId}/attempts?path=older`, "/runs"].map(zones.api.get),
  );
  const places = { ...rows, agents: asked.join("\n"), api: JSON.stringify(shown) };
  for (const [place, text] of Object.entries(places))
    expect([place, ofSlack.filter((secret) => text.includes(secret))]).toEqual([place, []]);
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
  expect(await zones.api.get(`/runs?correlation_id=${correlationId}`)).toMatchObject({
    total: 1,
    runs: [{ run_id: runId }],
  });
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
