import { expect, test } from "vitest";
import { deploy, digestA, digestB, registry, useAws } from "./testing/deploy.ts";
import { startEcsPlane } from "./testing/ecs-plane.ts";
import { Refusal } from "./testing/start-control-plane.ts";

const imageOf = (digest: string): string => `${registry}/crosszone-verification@${digest}`;
const task = {
  family: "crosszone-verification",
  cpu: "512",
  taskRoleArn: "arn:aws:iam::123456789012:role/crosszone-verification-task",
  runtimePlatform: { cpuArchitecture: "ARM64" },
  tags: [
    { key: "aws:cloudformation:stack-name", value: "CrosszoneVerification" },
    { key: "team", value: "agents" },
  ],
  newSetting: { mode: "NEW" },
  containerDefinitions: [
    { name: "collector", image: "collector:1" },
    {
      name: "verification",
      image: imageOf(digestA),
      secrets: [{ name: "SLACK_BOT_TOKEN", valueFrom: "arn" }],
      newMember: 1,
    },
  ],
};

async function startService() {
  const started = await startEcsPlane(task);
  useAws({ AWS_ENDPOINT_URL_ECS: started.plane.url });
  return { ...started, run: (...args: string[]) => deploy(["verification", ...args]) };
}

test("a digest becomes a task definition with the settings of the live one, and its tasks are replaced", async () => {
  const { service, run } = await startService();
  const { code, out, err } = await run("--digest", digestB);
  const line = `verification: ${imageOf(digestB)} is live, as version crosszone-verification:2.\n`;
  expect({ code, out }).toEqual({ code: 0, out: line });
  expect(err).toContain("crosszone-verification:2: 1 of 2 tasks run.");
  const [collector, verification] = task.containerDefinitions;
  expect(service.tasks[1]).toEqual({
    ...task,
    tags: [{ key: "team", value: "agents" }],
    containerDefinitions: [collector, { ...verification, image: imageOf(digestB) }],
  });
});

test("a live digest changes nothing, even while its deployment is under way", async () => {
  const { service, run } = await startService();
  expect(await run("--digest", digestA)).toMatchObject({ code: 0, out: expect.stringContaining("was already live") });
  service.next.push("never ends");
  const late = await run("--digest", digestB, "--timeout", "30");
  expect(late).toMatchObject({ code: 1, err: expect.stringContaining("The time that --timeout gives is over.") });
  const [deployment] = service.deployments;
  service.deployments = [{ ...(deployment as NonNullable<typeof deployment>), course: "ends well" }];
  expect(await run("--digest", digestB)).toMatchObject({ code: 0, out: expect.stringContaining("was already live") });
  expect(service.tasks).toHaveLength(2);
});

test("a failed deployment ends with its reason, and the previous version is live again", async () => {
  const { service, run } = await startService();
  service.next.push("fails");
  const { code, err } = await run("--digest", digestB);
  expect(code).toBe(1);
  expect(err).toContain(
    "crosszone-verification:2 did not become healthy: ECS deployment circuit breaker: tasks failed to start.",
  );
  expect(await run("--live-digest")).toMatchObject({ code: 0, out: `${digestA}\n` });
});

test("a rollback goes to the last successful deployment, and skips failed ones", async () => {
  const { service, run } = await startService();
  service.next.push("fails");
  await run("--digest", digestB);
  await run("--digest", `sha256:${"c".repeat(64)}`);
  const { code, out } = await run("--rollback", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    status: "rolled_back",
    version: "crosszone-verification:1",
    digest: digestA,
  });
  const nothing = await run("--rollback");
  expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining("no deployment before it succeeded") });
});

test("a call that ECS throttles with 400 is retried", async () => {
  const { plane, run } = await startService();
  const refuse = new Refusal(400, "ThrottlingException", { message: "Rate exceeded" });
  plane.trouble("RegisterTaskDefinition", { refuse }, { refuse });
  expect(await run("--digest", digestB)).toMatchObject({
    code: 0,
    err: expect.stringContaining("Trying again in 2 s."),
  });
});

test("a missing service or cluster is named in the error", async () => {
  const { run } = await startService();
  const missing = await run("--live-digest", "--service", "crosszone/other");
  expect(missing).toMatchObject({
    code: 1,
    err: expect.stringContaining("The cluster crosszone has no service other."),
  });
  const cluster = await run("--live-digest", "--service", "other/verification");
  expect(cluster).toMatchObject({
    code: 1,
    err: expect.stringContaining("Deploy the stack CrosszoneVerification first"),
  });
});
