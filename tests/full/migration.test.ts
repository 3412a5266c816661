import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkConformance } from "@crosszone/conformance";
import { expect, test } from "vitest";
import { startExecutionProcess } from "@crosszone/testkit/process";
import { adminToken, runsApi } from "../harness/runs-api.ts";
import { commandsOf, record, replayed } from "../harness/run-transcript.ts";
import { migrationLanguages, startMigrationExample } from "../harness/start-example-agent.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

test.each(migrationLanguages)(
  "R9.3, R9.5, R10.2: the %s agent gives the same answers after its migration, and complies with A2A 1.0 and 0.3",
  async (language) => {
    const [before, after] = await Promise.all([
      startMigrationExample(language, "before"),
      startMigrationExample(language, "after"),
    ]);
    const EXECUTION_FILE = writeAgentsFile([
      { name: "before", url: before, protocol: "simple-a2a" },
      { name: "after", url: after },
    ]);
    const zone = await startExecutionProcess({ EXECUTION_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
    const ask = (agent: string, text: string): Promise<unknown> => zone.ask(agent, text);
    const answer = { result: { response_text: "3 words, 14 characters" } };
    expect(await ask("before", "Grüße aus Köln")).toMatchObject(answer);
    expect(await ask("after", "Grüße aus Köln")).toMatchObject(answer);
    expect(await ask("before", "42")).toMatchObject({ error: { data: { kind: "agent_failed" } } });
    const failure = { kind: "agent_failed", agent_says: "This text has no words." };
    expect(await ask("after", "42")).toMatchObject({ error: { data: failure } });
    const { protocols, compliant, checks } = await checkConformance({ url: after, fetch });
    const failed = checks.filter(({ status, level }) => status === "failed" && level === "must");
    expect(failed.map(({ id, protocol, problem }) => ({ id, protocol, problem }))).toEqual([]);
    expect({ protocols: protocols.toSorted(), compliant }).toEqual({
      protocols: ["a2a-1.0", "jsonrpc-2.0"],
      compliant: true,
    });
  },
  240_000,
);

test("R9.5: every command of the migration guide is run and prints what the guide shows", async () => {
  const [before, after] = await Promise.all([
    startMigrationExample("node", "before"),
    startMigrationExample("node", "after"),
  ]);
  const { url, token } = await startZoneWith({ counter: before, archive: before });
  const path = resolve(import.meta.dirname, "../../docs/migrate-agents.md");
  const page = readFileSync(path, "utf8");
  const env = { CROSSZONE_URL: url, CROSSZONE_TOKEN: token };
  const places = { "http://127.0.0.1:8090": before, "http://127.0.0.1:8091": after };
  const real = await replayed(page, places, env);
  expect(commandsOf(page).length).toBeGreaterThan(3);
  expect(page, record(path, real)).toBe(real);
});

/** Starts a zone without a link token, with these agents of simple-a2a. Returns its URL and an admin token. */
async function startZoneWith(agents: Readonly<Record<string, string>>): Promise<{ url: string; token: string }> {
  const { url } = await startExecutionProcess({ ADMIN_TOKENS: adminToken, AGENT_ORIGINS: "http://127.0.0.1:*" });
  for (const [name, agent] of Object.entries(agents))
    await runsApi(url).post("/agents", { name, url: agent, protocol: "simple-a2a" });
  return { url, token: adminToken };
}
