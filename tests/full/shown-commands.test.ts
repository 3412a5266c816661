import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { commandsOf, retold, settled } from "../harness/run-transcript.ts";
import { adminToken } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-with-agents.ts";

// Agents take their time, and are made slow.
vi.setConfig({ testTimeout: 240_000 });

const root = resolve(import.meta.dirname, "../..");

interface Told {
  readonly command: string;
  readonly rest: string;
  readonly steps: readonly string[];
}

const toldOf = (markdown: string): readonly Told[] =>
  commandsOf(markdown).map(({ command, output }) => ({ command, ...settled(output) }));

/** Runs the commands of a page at zones that are started for it, as `pnpm dev` starts them; gives what the page shows and what they said. */
async function runShown(page: string): Promise<{ readonly shown: readonly Told[]; readonly said: readonly Told[] }> {
  const env = { AGENT_ADMIN_TOKENS: adminToken, WORKFLOWS_DIR: resolve(root, "examples/workflows") };
  const { url, slack, agents } = await startWithAgents({ slowMs: 3_000, env });
  const path = resolve(root, page);
  const markdown = readFileSync(path, "utf8");
  const real = await retold(
    markdown,
    { "http://127.0.0.1:4000": url, "localhost:4000": url.replace("http://", ""), "http://127.0.0.1:3200": agents.url },
    { ADMIN_TOKEN: adminToken, CROSSZONE_TOKEN: adminToken, CROSSZONE_URL: url, DEV_SLACK_URL: slack.url },
  );
  if (process.env["UPDATE_DOCS"]) writeFileSync(path, real);
  return { shown: toldOf(markdown), said: toldOf(real) };
}

test("every command of the workflows' page is run, one after the other, and says what the page shows", async () => {
  const { shown, said } = await runShown("docs/workflows.md");
  expect(shown.length).toBeGreaterThan(20);
  expect(shown).toEqual(said);
});

test("every command of the README is run, and says what it shows", async () => {
  const { shown, said } = await runShown("README.md");
  expect(shown.length).toBeGreaterThan(3);
  expect(shown).toEqual(said);
});
