import type { Agent } from "@crosszone/execution";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { startWithWorkflows } from "../harness/start-with-agents.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/temp-file.ts";
import { look, useBrowser, write } from "./use-browser.ts";

const open = useBrowser();

const reply = (page: Page) => page.getByTestId("thread-message").nth(1);
const half = "The wall stands between two zones. Slack is on one side of it,";

/** An agent that calls three tools, writes half of its answer, and waits. */
function writer() {
  const finished = Promise.withResolvers<void>();
  const names = ["proofreader", "keywords", "fingerprint"];
  const agent: Agent = {
    name: "writer",
    description: "Writes slowly.",
    skills: [],
    run: async (_input, { preview, signal }) => {
      const steps = names.map((uses, at) => ({ id: `${at}`, title: `Ask ${uses}`, uses, depth: 0 }));
      for (let done = 0; done <= names.length; done += 1) {
        const stateOf = (at: number) => (at < done ? "succeeded" : at === done ? "running" : "pending");
        preview?.progress({ steps: steps.map((step, at) => ({ ...step, state: stateOf(at) })) });
      }
      preview?.text(`${half} `);
      const stopped = new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
      await Promise.race([finished.promise, stopped]);
      return { response_text: `${half} and agents are on the other.` };
    },
  };
  return { agent, finish: () => finished.resolve() };
}

test("Stop in mid-stream keeps the text that had arrived, with a calm line below it and no mark of an error", async () => {
  const { agent } = writer();
  const zones = await startCrosszone({ agents: [agent] });
  const page = await open(zones.slack.url);
  await write(page, "Tell me about the wall.");
  await reply(page).filter({ hasText: "Slack is on one side of" }).waitFor();
  await look(page, "streaming");
  await page.getByTestId("stop").first().click();
  await reply(page).filter({ hasText: "Stopped." }).waitFor();
  expect(await reply(page).innerText()).toContain("The wall stands between two zones. Slack is on one side of");
  expect(await reply(page).innerText()).not.toContain("(edited)");
  expect(await reply(page).getAttribute("data-state")).toBe("stopped");
  const content = "[data-testid=thread-message][data-state=stopped] .content";
  const border = await page.evaluate(`getComputedStyle(document.querySelector('${content}')).borderLeftWidth`);
  expect(border).toBe("0px");
  await look(page, "stopped");
});

test("an answer with three tools ends with its cards folded, named with their duration, and without “(edited)”", async () => {
  const { agent, finish } = writer();
  const zones = await startCrosszone({ agents: [agent] });
  const page = await open(zones.slack.url);
  await write(page, "Tell me about the wall.");
  await reply(page).filter({ hasText: "Slack is on one side of" }).waitFor();
  const plan = reply(page).getByTestId("plan");
  expect(await plan.getAttribute("open")).not.toBeNull();
  finish();
  await reply(page).filter({ hasText: "on the other." }).waitFor();
  expect(await plan.locator("summary").innerText()).toMatch(/Used proofreader, keywords, fingerprint · \d+\.\d s/);
  expect(await plan.getAttribute("open")).toBeNull();
  expect(await plan.getAttribute("data-status")).toBe("complete");
  expect(await reply(page).innerText()).not.toContain("(edited)");
  await look(page, "three-tools");
  await plan.locator("summary").click();
  await plan.getByText("Ask keywords").waitFor();
  expect(await plan.getByTestId("task").count()).toBe(4);
  await look(page, "three-tools-open");
});

test("a run that an operator retries shows its result below the failure", async () => {
  let isDown = true;
  const agent = await startHttpAgent(() => {
    if (isDown) throw new Error("down for a while");
    return "The report is done.";
  });
  const step = { id: "write", type: "agent" as const, agent_name: "writer", input_mapping: { text: "now" } };
  const zones = await startWithWorkflows({
    env: {
      AGENTS_FILE: writeAgentsFile([{ name: "writer", url: agent.url, protocol: "simple-a2a" }]),
      AGENT_ORIGINS: agent.origin,
      WORKFLOWS_DIR: writeWorkflows({
        workflow_id: "report",
        name: "A report",
        version: "1",
        start_step: "write",
        steps: { write: step },
        output_mapping: { text: "${write.output.text}" },
      }),
    },
  });
  const page = await open(zones.slack.url);
  await write(page, "run report: today");
  await reply(page).filter({ hasText: "failed" }).waitFor();
  isDown = false;
  await zones.api.post(`/runs/${(await zones.api.latest()).run_id}/retry`);
  await page.getByTestId("thread-message").filter({ hasText: "Retried: The report is done." }).waitFor();
  expect(await page.getByTestId("thread-message").count()).toBe(3);
  await look(page, "retried-run");
});
