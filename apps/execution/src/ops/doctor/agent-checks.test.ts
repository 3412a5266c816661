import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "@crosszone/service-kit";
import { runChecks, type CheckResult } from "@crosszone/ops/doctor";
import { expect, onTestFinished, test } from "vitest";
import { checkKafkaAnswers } from "./check-kafka-answers.ts";
import { executionDoctor } from "./execution-doctor.ts";

async function consult(env: Record<string, string>): Promise<Record<string, CheckResult>> {
  const { checks, skip } = executionDoctor(env);
  const asked = checks.filter(({ name }) => ["configuration", "agents file", "agent secrets", "kafka"].includes(name));
  const results = await runChecks(asked, { timeoutMs: 30_000, ...(skip && { skip }) });
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

async function agentsFile(auth: string, url = "https://agents.example.com/"): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-doctor-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "agents.yaml");
  await writeFile(path, `agents:\n  - { name: scout, url: "${url}", auth: ${auth} }\n`);
  return path;
}

const bearer = "{ type: bearer, token: env:AGENT_SECRET_SCOUT }";

test("without agents and without Kafka the checks are skipped", async () => {
  const { kafka, "agents file": file } = await consult({});
  expect([kafka?.status, file?.status]).toEqual(["skipped", "skipped"]);
});

test("D4: the agents file is read as at the start, and each of its secrets is looked up", async () => {
  const AGENTS_FILE = await agentsFile(bearer);
  const good = await consult({ AGENTS_FILE, AGENT_SECRET_SCOUT: "s3cret" });
  expect(good["agents file"]).toMatchObject({ status: "passed", says: "scout" });
  expect(good["agent secrets"]?.status).toBe("passed");
  const missing = await consult({ AGENTS_FILE });
  expect(missing["agent secrets"]).toMatchObject({
    status: "failed",
    todo: [expect.stringContaining("env:AGENT_SECRET_SCOUT")],
  });
  expect(JSON.stringify([good, missing])).not.toContain("s3cret");
});

test("D4: errors of the file are reported by line, including an address that is not allowed", async () => {
  const { "agents file": file } = await consult({
    AGENTS_FILE: await agentsFile("{ type: none }", "http://10.0.0.1/"),
  });
  expect(file).toMatchObject({
    status: "failed",
    todo: [expect.stringMatching(/agents\.yaml:2:\d+: .*AGENT_ORIGINS/)],
  });
  const { "agents file": gone } = await consult({ AGENTS_FILE: "/nowhere/agents.yaml" });
  expect(gone).toMatchObject({ status: "failed", todo: [expect.stringContaining("ENOENT")] });
});

test("unreachable brokers are reported by the variable that names them", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const { kafka } = await consult({ KAFKA_BROKERS: `127.0.0.1:${port}` });
  expect(kafka).toMatchObject({ status: "failed", todo: [expect.stringMatching(/^KAFKA_BROKERS names brokers/)] });
});

test("Kafka's findings about topics are reported literally", async () => {
  const say = async (tryIt: Parameters<typeof checkKafkaAnswers>[1]) =>
    checkKafkaAnswers(["k:9092"], tryIt).run(new AbortController().signal);
  expect(await say(async () => "all topics exist")).toMatchObject({
    status: "passed",
    says: expect.stringContaining("all topics exist"),
  });
  const missing = new ConfigError([
    { name: "KAFKA_BROKERS", wrong: "names brokers without the topics. Kafka has no topic results.topic" },
  ]);
  expect(await say(async () => Promise.reject(missing))).toMatchObject({
    status: "failed",
    todo: ["KAFKA_BROKERS names brokers without the topics. Kafka has no topic results.topic."],
  });
});
