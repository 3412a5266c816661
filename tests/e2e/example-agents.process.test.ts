import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { startExampleAgent } from "../harness/start-example-agent.ts";
import { askZone, startOpenExecution } from "../harness/start-task-process.ts";
import { writeAgentsFile } from "../harness/write-definitions.ts";

const programs = { node: "agent.mjs", python: "agent.py", go: "main.go" };

test.each(Object.entries(programs))(
  "I1: the %s agent of the examples answers, in at most 40 lines",
  async (language, file) => {
    const url = await startExampleAgent(language);
    const AGENTS_FILE = await writeAgentsFile([{ name: "counter", url }]);
    const zone = await startOpenExecution({ AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
    const answer = await askZone(zone.url, { agent: "counter", text: "Grüße aus Köln" });
    expect(answer).toMatchObject({ result: { response_text: "3 words, 14 characters", agent: "counter" } });

    const source = readFileSync(resolve(import.meta.dirname, "../../examples/agents", language, file), "utf8");
    expect(source.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  },
  // The first Go build on a machine compiles the standard library.
  240_000,
);
