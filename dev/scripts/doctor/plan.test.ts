import { expect, test } from "vitest";
import { runChecks, type CheckResult } from "../../../packages/ops/src/doctor/index.ts";
import { doctorPlan } from "./plan.ts";
import { zonesAgree } from "./zones-agree.ts";

async function between(env: Record<string, string>): Promise<Record<string, CheckResult>> {
  const results = await runChecks(zonesAgree(env).checks, { timeoutMs: 1_000 });
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

test("without Slack credentials, the doctor skips the checks of Slack: `pnpm dev` starts a local one", async () => {
  const [verification] = doctorPlan({});
  const results = await runChecks(verification?.checks ?? [], {
    timeoutMs: 1_000,
    skip: (check) => verification?.skip?.(check),
  });
  expect(results.find(({ name }) => name === "configuration")).toMatchObject({ status: "passed" });
  const ofPeers = results.filter(({ name }) => /^(slack|execution) /.test(name));
  expect(ofPeers.length).toBeGreaterThan(10);
  for (const result of ofPeers)
    expect(result).toMatchObject({ status: "skipped", says: expect.stringContaining("`pnpm dev` starts") });
});

test("the doctor lists the sample agents that `pnpm dev` adds, if it adds any", async () => {
  const says = async (env: Record<string, string>): Promise<unknown[]> => {
    const plan = doctorPlan(env).find(({ title }) => title === "Sample agents");
    return (await runChecks(plan?.checks ?? [], { timeoutMs: 1_000 })).map((result) => result.says);
  };
  expect(await says({ DEV_AGENTS_PORT: "3201" })).toEqual([
    expect.stringMatching(/^proofreader \(jsonrpc-2\.0\), .*fingerprint \(simple-a2a\): .* at 127\.0\.0\.1:3201/),
  ]);
  expect(await says({ AGENTS_FILE: "agents.yaml" })).toHaveLength(1);
  expect(await says({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_SIGNING_SECRET: "x" })).toEqual([]);
});

test("an incomplete set of Slack credentials is checked as it is", async () => {
  const [verification] = doctorPlan({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_API_URL: "http://127.0.0.1:9" });
  const results = await runChecks(verification?.checks ?? [], {
    timeoutMs: 1_000,
    skip: (check) => verification?.skip?.(check),
  });
  expect(results.find(({ name }) => name === "configuration")).toMatchObject({ status: "failed" });
  expect(results.find(({ name }) => name === "slack reachable")).toMatchObject({ status: "failed" });
});

test("checks that need an invalid variable are skipped, in either zone", async () => {
  const unreadable = {
    ANSWER_DEADLINE: "soon",
    TASK_DEADLINE: "soon",
    MAX_QUESTIONS: "many",
    MAX_RUNNING_TASKS: "much",
  };
  for (const { checks, skip } of doctorPlan({ ...unreadable, SLACK_API_URL: "http://127.0.0.1:9" }).slice(0, 2)) {
    const weighed = checks.filter(({ name }) => ["limits", "memory"].includes(name));
    const results = await runChecks(weighed, { timeoutMs: 1_000, ...(skip && { skip }) });
    expect(results.map(({ status }) => status)).toEqual(["skipped", "skipped"]);
  }
});

test("each pair of limits that do not fit together gets its own sentence", async () => {
  expect((await between({}))["limits"]).toMatchObject({ status: "passed" });
  const env = {
    TASK_DEADLINE: "700s",
    TASK_RETENTION: "10s",
    MAX_QUESTIONS: "101",
  };
  const { limits } = await between(env);
  expect(limits?.status).toBe("warned");
  expect(limits?.todo.map((text) => text.split(" ")[0])).toEqual(["TASK_DEADLINE", "TASK_RETENTION", "MAX_QUESTIONS"]);
  expect((await between({ ANSWER_DEADLINE: "soon", TASK_RETENTION: "short" }))["limits"]).toMatchObject({
    status: "passed",
  });
});
