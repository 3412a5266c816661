import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { commandsOf, replayed } from "../harness/run-transcript.ts";
import { startWithView } from "../harness/start-with-view.ts";

// The test starts both zones, and a command for each question.
vi.setConfig({ testTimeout: 60_000 });

const path = resolve(import.meta.dirname, "../../docs/operations.md");
const page = readFileSync(path, "utf8");
const [begin, end] = [page.indexOf("## Find a question"), page.indexOf("## Follow one message")];
const section = page.slice(begin, end);
const [, shownReference = ""] = /tasks show (\S+)/.exec(section) ?? [];

test("Z12, Z13: the reference of an error in Slack finds the task and its agent call, and the commands print the documented output", async () => {
  const zones = await startWithView();
  zones.agents.control("proofreader").fault = "server_error";
  const answer = await zones.ask("proofreader", "This is is secret.");
  const [, reference = ""] = /Reference: ([\da-f-]+)/.exec(answer) ?? [];
  await vi.waitUntil(async () => (await zones.show(reference)).out.includes("answered"), 20_000);
  const env = zones.env.both;
  // On a busy machine it can take ten seconds or more, which are printed without decimals.
  const real = (await replayed(section, { [shownReference]: reference }, env))
    .replaceAll(/\b\d+s\b/g, "…s")
    .replaceAll(/(…s|AFTER|AGE) +/g, "$1  ")
    .replaceAll(/thread \d+\.\d+/g, "thread …");
  if (process.env["UPDATE_DOCS"]) writeFileSync(path, page.slice(0, begin) + real + page.slice(end));
  expect(commandsOf(section)).toHaveLength(2);
  expect(real).not.toContain("secret");
  expect(section).toBe(real);
});
