import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startDevAgents } from "@crosszone/dev-agents";
import { startOpenExecution } from "../harness/start-open-execution.ts";

const page = resolve(import.meta.dirname, "../../docs/zone-link.md");

/** Ids differ from run to run; the page shows them as an ellipsis. */
const steady = (text: string): string => text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…");

/** Each `$ curl …` line of the page, run for real, with what came back below it. */
function withAnswers(text: string, url: string): string {
  const unanswered = text.replaceAll(/^(\$ curl .*)\n(?!\$|```).*$/gm, "$1");
  return unanswered.replaceAll(/^\$ (curl .*)$/gm, (line, command: string) => {
    const answer = execFileSync("sh", ["-c", command.replace("localhost:4000", url)], { encoding: "utf8" });
    return `${line}\n${steady(answer)}`;
  });
}

test("every curl line of the zone link page is run, and answers what the page says", async () => {
  const zone = await startOpenExecution();
  const text = readFileSync(page, "utf8");
  expect(text.match(/^\$ curl/gm)?.length).toBeGreaterThan(7);
  const answered = withAnswers(text, zone.url);
  if (process.env["UPDATE_DOCS"]) writeFileSync(page, answered);
  expect(answered).toBe(readFileSync(page, "utf8"));
});

test("every curl line of the sample agents' page is run, and each tells how the agent stands", async () => {
  const agents = await startDevAgents();
  onTestFinished(() => agents.close());
  const text = readFileSync(resolve(import.meta.dirname, "../../packages/dev-agents/README.md"), "utf8");
  const stands = [];
  for (const line of text.match(/^curl .*$/gm) ?? []) {
    const command = line.replace("http://127.0.0.1:3200", agents.url);
    const { stdout } = await promisify(execFile)("sh", ["-c", command]);
    stands.push((JSON.parse(stdout) as { readonly fault: string }).fault);
  }
  expect(stands).toEqual(["flaky", "flaky", "ok"]);
});
