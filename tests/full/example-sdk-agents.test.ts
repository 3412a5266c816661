import { expect, test } from "vitest";
import example from "../../examples/agents/a2a-js/package.json" with { type: "json" };
import tests from "../package.json" with { type: "json" };
import { askZone } from "../harness/ask-zone.ts";
import { startExampleAgent } from "../harness/start-example-agent.ts";
import { startOpenExecution } from "../harness/start-open-execution.ts";
import { writeAgentsFile } from "../harness/write-agents-file.ts";

test("the example in JavaScript names the SDK that these tests run it with", () => {
  expect(example.dependencies["@a2a-js/sdk"]).toBe(tests.devDependencies["@a2a-js/sdk"]);
});

test.each(["a2a-js", "a2a-python"])("I1: the example agent on an official SDK answers: %s", async (language) => {
  const url = await startExampleAgent(language);
  const AGENTS_FILE = await writeAgentsFile([{ name: "counter", url }]);
  const zone = await startOpenExecution({ AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
  const answer = await askZone(zone.url, { agent: "counter", text: "Grüße aus Köln" });
  expect(answer).toMatchObject({ result: { response_text: "3 words, 14 characters", agent: "counter" } });
});
