import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startDevSlack } from "@crosszone/dev-slack";
import { converse, slackEnv } from "@crosszone/dev-slack/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startAws } from "@crosszone/testkit";
import { startProcess } from "@crosszone/testkit/process";
import { startOtlpCollector } from "../harness/otlp-collector.ts";
import { run } from "./run-command.ts";

const root = resolve(import.meta.dirname, "../..");
const dir = mkdtempSync(join(tmpdir(), "crosszone-deploy-"));
const token = "link-token-of-thirty-two-characters";

type Variables = Record<string, string>;

/** Returns the commands of the operations page that build the zones' folders, without the build, which turbo does before this test. */
const deployCommands = (): string[] =>
  [...readFileSync(join(root, "docs/operations.md"), "utf8").matchAll(/^npx -y pnpm@[\d.]+ (.* deploy .*)$/gm)].map(
    ([, command = ""]) => command,
  );

beforeAll(async () => {
  if (!existsSync(join(root, "apps/execution/dist/main.js"))) throw new Error("run `pnpm build` first");
  for (const command of deployCommands())
    await run("pnpm", command.replace("/srv/", `${dir}/`).split(" "), { cwd: root });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const startZone = (zone: string, env: Variables) => startProcess({ cwd: join(dir, zone), args: ["dist/main.js"], env });
const doctor = (zone: string, env: Variables): Promise<string> =>
  run(process.execPath, ["dist/doctor.js"], { cwd: join(dir, zone), env });

/** The variables of execution, and of verification to reach it. */
const links: Record<string, { execution: Variables; link: (url: string) => Promise<Variables> }> = {
  https: {
    execution: { EXECUTION_TOKEN: token },
    link: async (url) => ({ EXECUTION_URL: `${url}/rpc`, EXECUTION_TOKEN: token }),
  },
  agentcore: {
    execution: { HOST_PROFILE: "agentcore", EXECUTION_HOST: "127.0.0.1", CALLER_AUTH: "platform" },
    link: async (url) => (await startAws(url)).env,
  },
};

test.each(Object.entries(links))(
  "the folders that the operations page builds are complete: over %s both zones answer questions and send traces",
  async (_transport, { execution: executionEnv, link }) => {
    const collector = await startOtlpCollector();
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const execution = await startZone("execution", { EXECUTION_PORT: "0", ...executionEnv, ...traces });
    const slack = await startDevSlack();
    onTestFinished(() => slack.close());
    const verificationEnv = { VERIFICATION_PORT: "0", ...slackEnv(slack), ...(await link(execution.url)), ...traces };
    const verification = await startZone("verification", verificationEnv);
    await expect.poll(async () => (await fetch(`${verification.url}/readyz`)).status).toBe(200);
    slack.setEventsUrl(`${verification.url}/slack/events`);

    expect(await doctor("execution", executionEnv)).toMatch(/✓ callers +CALLER_AUTH is/);
    expect(await doctor("verification", verificationEnv)).toMatch(/✓ execution answers +it accepts this zone/);
    const { write, answerTo } = converse(slack.control);
    const answer = await answerTo(write({ text: "2+2 in words?" }));
    expect(answer.text).toContain("four");
    expect([await verification.stop(), await execution.stop()]).toEqual([0, 0]);
    expect(new Set(collector.spans.map(({ service }) => service))).toEqual(
      new Set(["crosszone-execution", "crosszone-verification"]),
    );
  },
);

test("no zone's folder has sources, and execution's has the package that verifies an identity provider's tokens", async () => {
  expect(deployCommands()).toHaveLength(2);
  for (const zone of ["execution", "verification"])
    expect(readdirSync(join(dir, zone))).toEqual(expect.not.arrayContaining(["src", ".turbo", ".tsbuildinfo"]));
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
  const execution = await startZone("execution", {
    EXECUTION_PORT: "0",
    CALLER_AUTH: "jwt",
    CALLER_JWT_ISSUER: "https://issuer.example.com",
    CALLER_JWT_AUDIENCE: "https://execution.example.com",
    CALLER_ALLOWED: "sub:verification",
    CALLER_JWT_JWKS: JSON.stringify({ keys: [key] }),
  });
  const headers = { "content-type": "application/json", authorization: "Bearer e30.e30.e30" };
  const refused = await fetch(`${execution.url}/rpc`, { method: "POST", headers, body: "{}" });
  expect(refused.status).toBe(401);
});
