import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkConformance } from "@crosszone/conformance";
import { expect, test } from "vitest";
import { startGuide, type GuideProgram } from "./guide-programs.ts";
import { rowsAfter } from "../harness/browser.ts";
import { askZone, startOpenExecution } from "../harness/start-task-process.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

interface Guide extends GuideProgram {
  readonly question: string;
  readonly answer: string;
}

const requirements = "tests/full/guides/requirements.txt";
const library = "When is the library open?";

const langgraph: Guide = {
  page: "langgraph.md",
  command: "python agent.py",
  requirements,
  path: "",
  question: library,
  answer: "It is open on weekdays.",
};
const mounted = { path: "/a2a", question: library, answer: "The library is open from 10 to 20." };
const kitGuides: readonly Guide[] = [
  langgraph,
  { page: "fastapi.md", command: "uvicorn main:app --port 8090", requirements, ...mounted },
  { page: "express.md", command: "node server.mjs", ...mounted },
];

const counter = {
  page: "a2a-sdk.md",
  path: "",
  question: "How many words are here?",
  answer: "5 words, 24 characters",
};
const sdkGuides: readonly Guide[] = [
  { ...counter, command: "node agent.mjs" },
  { ...counter, command: "python agent.py", requirements: "examples/agents/a2a-python/requirements.txt" },
];

async function startGuideZone(guide: GuideProgram): Promise<{ readonly url: string; readonly zone: string }> {
  const url = await startGuide(guide);
  const AGENTS_FILE = writeAgentsFile([{ name: "guide", url }]);
  const { url: zone } = await startOpenExecution({ AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
  return { url, zone };
}

/** Returns the failed checks of required rules. */
async function failuresOf(url: string, question: string): Promise<readonly string[]> {
  const { checks } = await checkConformance({ url, fetch, questions: { answered: question } });
  // Both versions have streaming.
  expect(checks.filter(({ id, status }) => id === "stream-text" && status === "passed")).toHaveLength(2);
  const failed = checks.filter(({ level, status }) => level === "must" && status === "failed");
  return failed.map(({ protocol, id }) => `${protocol === "a2a-1.0" ? "A2A 1.0" : "A2A 0.3"} ${id}`);
}

test.each(kitGuides)(
  "R9.5: the agent of $page answers, streams and complies with both versions of A2A",
  async (guide) => {
    const { url, zone } = await startGuideZone(guide);
    const answer = await askZone(zone, { agent: "guide", text: guide.question });
    expect(answer).toMatchObject({ result: { response_text: guide.answer } });
    expect(await failuresOf(url, guide.question)).toEqual([]);
  },
);

test.each(sdkGuides)(
  "R9.5: the agent of $page that `$command` starts answers and streams; the page lists the defects of its SDK",
  async (guide) => {
    const { url, zone } = await startGuideZone(guide);
    const answer = await askZone(zone, { agent: "guide", text: guide.question });
    expect(answer).toMatchObject({ result: { response_text: guide.answer } });
    const page = readFileSync(resolve(import.meta.dirname, "../../docs/guides", guide.page), "utf8");
    const findings = rowsAfter(page, "sdk findings").filter(
      ([sdk = ""]) => sdk.startsWith("`@") === guide.command.startsWith("node"),
    );
    const known = findings.map(([, protocol, check = ""]) => `${protocol} ${check.replaceAll("`", "")}`);
    expect(known.length).toBeGreaterThan(0);
    expect((await failuresOf(url, guide.question)).filter((failure) => !known.includes(failure))).toEqual([]);
  },
);

test("R9.5: a LangGraph graph that asks the person continues with their next message", async () => {
  const { zone } = await startGuideZone(langgraph);
  const thread = { agent: "guide", thread_ts: "1.1" };
  const question = await askZone(zone, { ...thread, text: "When is it open?" });
  expect(question).toMatchObject({ result: { response_text: "Which place do you mean?" } });
  const answer = await askZone(zone, { ...thread, text: "The library" });
  expect(answer).toMatchObject({ result: { response_text: langgraph.answer } });
});
