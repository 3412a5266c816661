// suite: rest
// @module-tag judge
import { execFile } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { startPostgres } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { expect, onTestFinished, test, vi } from "vitest";
import { runProgram } from "../harness/run-program.ts";
import { adminToken, askingToken, postAs, rpcOf, workflowOf } from "../harness/runs-api.ts";
import { writeWorkflows } from "../harness/temp-file.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

const find = { id: "find", type: "agent", agent_name: "keywords", input_mapping: { text: "hi" } } as const;
const workflow = workflowOf("find", [find]);

async function startZones(more: Readonly<Record<string, string>> = {}) {
  const zones = await startWithAgents({
    env: {
      ADMIN_TOKENS: adminToken,
      ASK_PORT: "0",
      WORKFLOWS_DIR: writeWorkflows(workflow),
      ...more,
    },
    sections: { programs: { askers: [{ token: "ci", agents: ["builtin"] }] } },
    verificationEnv: tune({ EXECUTION_RETRY_BUDGET_MS: 500 }),
  });
  const asked = await vi.waitUntil(() => zones.log.find(({ event }) => event === "ask_listening"));
  const token = await askingToken(zones.url);
  const env = { CROSSZONE_URL: zones.url, CROSSZONE_TOKEN: adminToken, CROSSZONE_LINK_TOKEN: zones.token };
  const cli = async (...words: string[]) => {
    const { code, out, err } = await runProgram("tools/cli/src/main.ts", { ...env, NO_COLOR: "1" }, ...words);
    return { code, text: out + err };
  };
  const message = { messageId: "1", role: "user", kind: "message", parts: [{ kind: "text", text: "2+2" }] };
  return {
    ...zones,
    /** What each surface says about a question or a run. */
    surfaces: {
      link: () =>
        postAs(zones.token)(
          `${zones.url}/rpc`,
          rpcOf("execute_task", { channel: "C1", text: "2+2", bot_token: "handle", agent: "builtin" }),
        ),
      api: () => postAs(adminToken)(`${zones.url}/api/v1/runs`, { workflow_id: "find", input: {} }),
      a2a: () => postAs(token)(`${String(asked["url"])}/a2a/builtin`, rpcOf("message/send", { message })),
      mcp: () =>
        postAs(token)(
          `${String(asked["url"])}/mcp`,
          rpcOf("tools/call", { name: "ask_builtin", arguments: { message: "2+3" } }),
        ),
      slack: async () => ({ text: await zones.ask("builtin", "2+2") }),
      "crosszone ask": () => cli("ask", "builtin", "2+2"),
      "crosszone run": () => cli("run", "find"),
      readyz: async () => ({ text: await (await fetch(`${zones.url}/readyz`)).text() }),
    },
  };
}

type Zones = Awaited<ReturnType<typeof startZones>>;

async function expectToldEverywhere({ surfaces }: Zones, outage: RegExp): Promise<void> {
  type Said = { readonly text: string; readonly headers?: Headers };
  const ask = async ([name, say]: [string, () => Promise<Said>]) => [name, await say()] as const;
  const said = Object.fromEntries(await Promise.all(Object.entries(surfaces).map(ask)));
  for (const [name, { text }] of Object.entries(said)) {
    expect.soft([name, text]).toEqual([name, expect.stringMatching(outage)]);
    expect.soft([name, text]).toEqual([name, expect.not.stringMatching(/agent[^.]* can(not|'t) be reached/i)]);
  }
  expect.soft(said["link"]?.text).toContain('"kind":"zone_unavailable","retryable":true');
  for (const name of ["api", "a2a"]) {
    expect.soft([name, said[name]]).toMatchObject([name, { status: 503 }]);
    expect.soft([name, said[name]?.headers?.get("retry-after")]).toEqual([name, "1"]);
  }
  expect.soft(said["crosszone ask"]).toMatchObject({ code: 1 });
  expect.soft(said["crosszone run"]).toMatchObject({ code: 3 });
}

test("O2: a full disk was blamed on a healthy agent, and was an internal error of the API", async () => {
  const zones = await startZones();
  const limitFiles = (size: string) =>
    promisify(execFile)("prlimit", [`--fsize=${size}:unlimited`, "--pid", String(zones.execution.pid)]);
  // No file may grow: SQLite's writes fail as those of a disk do.
  await limitFiles("0");
  await expectToldEverywhere(zones, /database's disk fails or is full/i);
  await limitFiles("unlimited");
  expect(await zones.ask("builtin", "2+2")).toContain("4");
});

test("O2: a database that is away was blamed on a healthy agent", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const zones = await startZones({ DATABASE_URL: server.url });
  await server.kill();
  await expectToldEverywhere(zones, /database is unreachable/i);
  await server.start();
  await expect.poll(() => zones.ask("builtin", "2+2")).toContain("4");
});

test("J12: an outage of databases and of the other zone was hundreds of warnings with stacks", async () => {
  const servers = [await startPostgres(), await startPostgres()] as const;
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))));
  const [{ url: DATABASE_URL }, { url }] = servers;
  const zones = await startWithAgents({ env: { DATABASE_URL }, verificationEnv: { DATABASE_URL: url } });
  expect(await zones.ask("builtin", "2+2")).toContain("4");
  const before = zones.log.length;
  await Promise.all(servers.map((server) => server.kill()));
  await setTimeout(15_000);
  zones.execution.signal("SIGKILL");
  await servers[1].start();
  await setTimeout(5_000);
  const lines = zones.log.slice(before).filter(({ level }) => level === "warn" || level === "error");
  const causes = lines.map(({ zone, level, correlation_id, kind, cause }) =>
    JSON.stringify([zone, level, correlation_id, cause ?? kind]),
  );
  expect(causes.length).toBeGreaterThan(1);
  expect(causes).toEqual([...new Set(causes)]);
  expect(lines.filter((line) => JSON.stringify(line).includes('"stack"'))).toEqual([]);
});
