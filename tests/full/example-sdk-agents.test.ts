import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { startExampleAgent } from "../harness/start-example-agent.ts";
import { askZone, startOpenExecution } from "../harness/start-task-process.ts";
import { writeAgentsFile } from "../harness/write-definitions.ts";
import tests from "../package.json" with { type: "json" };

/** Manifest of `examples/agents/a2a-js`. */
const example = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../examples/agents/a2a-js/package.json"), "utf8"),
) as { readonly dependencies: Readonly<Record<string, string>> };

test("the JavaScript example depends on the SDK version that these tests use", () => {
  expect(example.dependencies["@a2a-js/sdk"]).toBe(tests.devDependencies["@a2a-js/sdk"]);
});

test.each(["a2a-js", "a2a-python"])("I1: the example agent on an official SDK answers: %s", async (language) => {
  const url = await startExampleAgent(language);
  const AGENTS_FILE = await writeAgentsFile([{ name: "counter", url }]);
  const zone = await startOpenExecution({ AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
  const answer = await askZone(zone.url, { agent: "counter", text: "Grüße aus Köln" });
  expect(answer).toMatchObject({ result: { response_text: "3 words, 14 characters", agent: "counter" } });
});
