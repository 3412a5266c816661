import { resolve } from "node:path";
import type { WorkflowDefinition } from "@crosszone/contracts";
import { startDevSlack } from "@crosszone/dev-slack";
import { converse, slackEnv, stateOf } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { expect, onTestFinished, test, vi } from "vitest";
import { adminToken, runsApi } from "../harness/runs-api.ts";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { startProcess, type ZoneProcess } from "../harness/start-process.ts";
import { databaseEnv } from "../harness/start-task-process.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/write-definitions.ts";

// Each test starts four processes.
vi.setConfig({ testTimeout: 120_000 });
const soon = { timeout: 60_000, interval: 50 };

const workflow: WorkflowDefinition = {
  workflow_id: "report",
  name: "A report",
  version: "1",
  start_step: "write",
  steps: {
    write: { id: "write", type: "agent", agent_name: "writer", input_mapping: { text: "${workflow.input.text}" } },
  },
  output_mapping: { text: "${write.output.text}" },
};

async function kill(zone: ZoneProcess): Promise<void> {
  zone.signal("SIGKILL");
  await zone.ended;
}

/** Starts the processes of both zones, which a test can kill and start again on the same data. */
async function startZones(work: () => string) {
  const agent = await startHttpAgent(work);
  const slack = await startDevSlack({ retryScheduleMs: [100, 500, 2_000, 4_000] });
  onTestFinished(() => slack.close());
  const [executionData, verificationData] = [await newSqliteDatabase(), await newSqliteDatabase()];
  const port = await freePort();
  const token = "link-token-of-the-tests-of-retried-runs";
  const zone = (name: string, env: Record<string, string>): Promise<ZoneProcess> =>
    startProcess({
      cwd: resolve(import.meta.dirname, `../../apps/${name}`),
      args: ["--conditions=@crosszone/source", "src/main.ts"],
      env,
    });
  const execution = async () =>
    zone("execution", {
      EXECUTION_PORT: String(port),
      EXECUTION_TOKEN: token,
      AGENT_ADMIN_TOKENS: adminToken,
      AGENTS_FILE: await writeAgentsFile([{ name: "writer", url: agent.url, protocol: "simple-a2a" }]),
      AGENT_ORIGINS: agent.origin,
      WORKFLOWS_DIR: await writeWorkflows(workflow),
      ...tune({ TASK_LEASE_MS: 1_000 }),
      ...databaseEnv(executionData),
    });
  const verification = async () => {
    const started = await zone("verification", {
      ...slackEnv(slack),
      VERIFICATION_PORT: "0",
      EXECUTION_URL: `http://127.0.0.1:${port}/rpc`,
      EXECUTION_TOKEN: token,
      ...tune({ INBOX_LEASE_MS: 1_000, POLL_WAIT_MS: 200 }),
      ...databaseEnv(verificationData),
    });
    slack.setEventsUrl(`${started.url}/slack/events`);
    return started;
  };
  return { execution, verification, api: runsApi(`http://127.0.0.1:${port}`), ...converse(slack.control) };
}

test("a run that an operator retries answers in its thread, although both zones were killed after it failed", async () => {
  let isDown = true;
  const zones = await startZones(() => {
    if (isDown) throw new Error("down for a while");
    return "The report is done.";
  });
  const first = [await zones.execution(), await zones.verification()];
  const question = zones.write({ text: "run report: of today" });
  const failed = await zones.answerTo(question, 60_000);
  expect(stateOf(failed)).toBe("failed");
  await Promise.all(first.map(kill));
  await zones.execution();
  const run = await zones.api.latest();
  await zones.api.post(`/runs/${run.run_id}/retry`);
  const verification = await zones.verification();
  const texts = (): string[] => zones.replies(question).map(({ text }) => text);

  // The agent is still down.
  await vi.waitFor(() => expect(texts()).toHaveLength(2), soon);
  expect(texts()[1]).toMatch(/^\*\*Retried:\*\* The step “write” of the workflow “report” failed/);

  isDown = false;
  await zones.api.post(`/runs/${run.run_id}/retry`);
  expect(await zones.api.ended(run.run_id)).toMatchObject({ state: "succeeded" });
  await kill(verification);
  await zones.verification();
  await vi.waitFor(() => expect(texts()).toHaveLength(3), soon);
  // A process that was killed before it had noted the answer as delivered delivers it again, in the same message.
  expect(texts()[0]).toContain("The step “write” of the workflow “report” failed");
  expect(texts()[2]).toBe("**Retried:** The report is done.");
});
