import { resolve } from "node:path";
import { startDevSlack } from "@crosszone/dev-slack";
import { slackEnv } from "@crosszone/dev-slack/client";
import { expect, onTestFinished, test } from "vitest";
import { startProcess } from "../harness/start-process.ts";

type Zone = "execution" | "verification";

/** Starts a zone's own program, and returns the types of its metrics, as lines. */
async function typesOf(zone: Zone, more: Record<string, string>): Promise<readonly string[]> {
  const slack = await startDevSlack();
  const env = {
    execution: { EXECUTION_PORT: "0", EXECUTION_TOKEN: "" },
    verification: { VERIFICATION_PORT: "0", EXECUTION_URL: "http://127.0.0.1:9/rpc", ...slackEnv(slack) },
  };
  const started = await startProcess({
    cwd: resolve(import.meta.dirname, "../../apps", zone),
    args: ["--conditions=@crosszone/source", "src/main.ts"],
    env: { ...env[zone], ...more },
  });
  onTestFinished(async () => {
    await started.stop();
    await slack.close();
  });
  const exposition = await (await fetch(`${started.url}/metrics`)).text();
  return exposition.split("\n").filter((line) => line.startsWith("# TYPE "));
}

test.each<[Zone, name: string, former: string]>([
  ["execution", "agent_calls_waiting", "agent_tasks_waiting"],
  ["verification", "inbox_questions", "inbox_records"],
])("with METRICS_FORMER_NAMES, %s shows %s as %s too", async (zone, name, former) => {
  const [now, both] = [await typesOf(zone, {}), await typesOf(zone, { METRICS_FORMER_NAMES: "true" })];
  expect(now).toContain(`# TYPE ${name} gauge`);
  expect(now).not.toContain(`# TYPE ${former} gauge`);
  expect(both).toEqual(expect.arrayContaining([...now, `# TYPE ${former} gauge`]));
});
