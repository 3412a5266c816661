import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { commandsOf, replayed } from "../harness/run-transcript.ts";
import { startExampleAgent } from "../harness/start-example-agent.ts";
import { askZone, startOpenExecution } from "../harness/start-task-process.ts";
import { writeAgentsFile } from "../harness/write-definitions.ts";

test.each(["node", "python", "go"])(
  "I1: the %s agent of the examples answers",
  async (language) => {
    const url = await startExampleAgent(language);
    const AGENTS_FILE = await writeAgentsFile([{ name: "counter", url }]);
    const zone = await startOpenExecution({ AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
    const answer = await askZone(zone.url, { agent: "counter", text: "Grüße aus Köln" });
    expect(answer).toMatchObject({ result: { response_text: "3 words, 14 characters", agent: "counter" } });
  },
  // The first Go build on a machine compiles the standard library.
  240_000,
);

const root = resolve(import.meta.dirname, "../..");

test("the quickstart of the agents page shows the example agent, and its commands print what the page shows", async () => {
  const path = resolve(root, "docs/agents.md");
  const page = readFileSync(path, "utf8");
  const example = readFileSync(resolve(root, "examples/agents/python/agent.py"), "utf8");
  expect(/```python\n([^]*?)```/.exec(page)?.[1]).toBe(example);

  const agent = await startExampleAgent("python");
  const token = "0123456789abcdef0123456789abcdef";
  const zone = await startOpenExecution({ ADMIN_TOKENS: token, AGENT_ORIGINS: "http://127.0.0.1:*" });
  const end = page.indexOf("## Write an agent");
  const quickstart = page.slice(0, end);
  const env = { CROSSZONE_URL: zone.url, CROSSZONE_TOKEN: token };
  const real = await replayed(quickstart, { "http://127.0.0.1:8090": agent }, env);
  if (process.env["UPDATE_DOCS"]) writeFileSync(path, real + page.slice(end));
  expect(commandsOf(quickstart)).toHaveLength(3);
  expect(quickstart).toBe(real);
});
