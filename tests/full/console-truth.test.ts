import type { InputRequestList, InputSchema } from "@crosszone/contracts";
import { shortId } from "@crosszone/service-kit/text";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { adminToken, workflowOf } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";
import { lookEverywhere, useBrowser } from "./use-browser.ts";

const open = useBrowser();

/** An agent whose name leaves no room on a phone. */
const gone = "counts-the-words-of-very-long-reports";

const agentStep = { type: "agent", title: "Send the report", agent_name: gone, input_mapping: {} } as const;
const ship = workflowOf("ship", [{ id: "send", ...agentStep, next_step: null }], { name: "Ship a report" });

const form: InputSchema = {
  type: "object",
  properties: {
    day: { type: "string", title: "Day", format: "date" },
    city: { type: "string", title: "City", enum: ["Berlin", "Paris"] },
    nights: { type: "integer", title: "Nights", default: 2 },
    note: { type: "string", title: "Note\u200b" },
  },
  required: ["day"],
};
const ask = { type: "human", input: "form", prompt: "When do you go?", schema: form } as const;
const whom = { people: ["U0BOB000001"] };
const trip = workflowOf("trip", [{ id: "when", ...ask, decide: whom, next_step: null }], { name: "Plan a trip" });

/** Starts both zones with an agent that is away, whose only failure is that of a message of Alice. */
async function startFailed(url?: string) {
  const zones = await startWithAgents({
    env: { AGENT_ORIGINS: "http://127.0.0.1:*", ...(url !== undefined && databaseEnv(url)) },
  });
  const retry = { max_retries: 0, base_ms: 100, max_ms: 100 };
  await zones.api.post("/agents", { name: gone, url: "http://127.0.0.1:1", protocol: "simple-a2a", retry });
  for (const workflow of [ship, trip]) await zones.api.create(workflow);
  await zones.answerTo(zones.write({ text: "run ship: text=Hello" }), 60_000);
  return zones;
}

/** The lines of the page that have these words. */
const linesWith = async (page: Page, words: string): Promise<readonly string[]> =>
  (await page.locator("main").innerText()).split("\n").filter((line) => line.includes(words));

onBothEngines("an operator's console", (newDatabase) => {
  test("Q34: which step failed, and why, is read in two acts from the first screen, and is said once", async () => {
    const zones = await startFailed(await newDatabase());
    const page = await open(`${zones.url}/console#token=${adminToken}`);
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Runs" }).click();
    const [run] = await zones.api.runs("workflow_id=ship");
    const why = run?.error?.message ?? "the run has not failed";
    expect((await zones.find(shortId(run?.run_id ?? ""))).out).toContain(`Send the report, ${gone}: failed`);
    await page.getByRole("link", { name: "Ship a report" }).click();
    const header = page.locator(".run-header");
    await header.getByText(why).waitFor();
    await header.getByRole("button", { name: "Go to Send the report" }).waitFor();
    expect(await linesWith(page, why)).toHaveLength(1);
    // The agent's data is with its step.
    expect(await header.locator("pre").count()).toBe(0);
    await lookEverywhere(page, "truth-failed-run");

    await page.getByRole("button", { name: "Go to Send the report" }).click();
    const panel = page.getByRole("complementary", { name: "Details" });
    await panel.getByText(why).waitFor();
    expect(await linesWith(page, why)).toHaveLength(1);
    await lookEverywhere(page, "truth-failed-step");
    await panel.getByRole("link", { name: gone }).click();
    await page.getByRole("heading", { name: gone }).waitFor();

    // The same on the page of the message: by title, with a way to the agent.
    await page.goto(`${zones.url}/console/messages/${run?.correlation_id ?? ""}`);
    const step = page.locator('.waterfall tr[data-stage="Send the report"]');
    expect(await step.getByRole("link", { name: gone }).getAttribute("href")).toBe(`/console/agents/${gone}`);
    expect(await page.getByText("Step send").count()).toBe(0);
    await lookEverywhere(page, "truth-failed-message");
  });

  test("Q26, Q31, Q34: a run that waits says so in one word, whom for in one sentence, and what it asks with its fields", async () => {
    const zones = await startFailed(await newDatabase());
    const id = await zones.api.start("trip", {});
    const sentence = "Only Bob Carter can decide this, in Slack. You are bootstrap.";
    const named = async () => JSON.stringify(await zones.api.runs("waiting=true"));
    await expect.poll(named, { timeout: 30_000, interval: 500 }).toContain("Bob Carter");

    const page = await open(`${zones.url}/console/runs?state=waiting#token=${adminToken}`);
    await page.locator(`tr[data-row="${id}"][data-state="waiting"]`).getByText("Waiting for Bob Carter").waitFor();
    expect(await page.locator("tbody tr").count()).toBe(1);
    for (const option of ["--state=waiting", "--waiting"]) {
      const { out } = await zones.cli("runs", "list", option);
      expect(out.trim().split("\n").slice(1)).toEqual([
        expect.stringMatching(RegExp(`^${id.slice(0, 8)} .* waiting `)),
      ]);
    }
    expect((await zones.cli("runs", "list", "--state", "running")).out).toBe("No runs.\n");

    await page.getByRole("link", { name: "Plan a trip" }).click();
    await page.getByText(sentence).first().waitFor();
    const deadline = page.locator(".run-facts div", { hasText: "Deadline" }).locator("dd");
    const paused = await deadline.innerText();
    expect(paused).toMatch(/^Paused, .+ left$/);
    // The clock of the page goes on, the deadline does not.
    const going = page.locator(".run-facts div", { hasText: "Running for" }).locator("dd");
    const before = await going.innerText();
    await expect.poll(() => going.innerText(), { timeout: 30_000 }).not.toBe(before);
    expect(await deadline.innerText()).toBe(paused);
    const shown = await zones.cli("runs", "show", id.slice(0, 8));
    expect(shown.out).toMatch(/^state +waiting\n[^]*^deadline +paused, \S+( \S+)? left$/m);
    await lookEverywhere(page, "truth-waiting-run");

    await page.goto(`${zones.url}/console/approvals`);
    await page.getByRole("link", { name: "When do you go?" }).click();
    const facts = page.locator("article .facts").first();
    await facts.getByText("Day").waitFor();
    expect((await facts.innerText()).split("\n")).toEqual(
      ["Day", "date", "City", "Berlin or Paris (optional)", "Nights", "whole number (optional), 2 suggested"].concat([
        "Note",
        "text (optional)",
      ]),
    );
    expect(await page.getByText(sentence).count()).toBe(1);
    await lookEverywhere(page, "truth-form");
    const [request] = ((await zones.api.get(`/input-requests?run_id=${id}`)) as InputRequestList).input_requests;
    const short = request?.request_id.slice(0, 12) ?? "";
    const refused = await zones.cli("approvals", "decide", short, "--value", "day=2026-12-01");
    expect([refused.code, refused.err]).toEqual([3, `${sentence}\n`]);
    expect((await zones.cli("approvals", "show", short)).out).toContain(sentence.replace(" You are bootstrap.", ""));

    await zones.api.post(`/input-requests/${request?.request_id}/withdraw`, { reason: "not needed" });
    const ended = await zones.api.ended(id);
    expect(ended.error).toMatchObject({ kind: "input_withdrawn", path: "when" });
    await page.goto(`${zones.url}/console/runs/${id}`);
    await page.locator(".run-header").getByText("Withdrawn by bootstrap. not needed").waitFor();
  });
});

test("Q36: no tab is wider than a phone, and each is readable in both schemes", async () => {
  const zones = await startFailed();
  await zones.answerTo(zones.write({ text: `ask ${gone}: hello` }));
  await zones.api.start("trip", {});
  const page = await open(`${zones.url}/console#token=${adminToken}`);
  const tabs = page.getByRole("navigation", { name: "Console" }).getByRole("link");
  await tabs.first().waitFor();
  const names = await tabs.allInnerTexts();
  expect(names).toEqual(expect.arrayContaining(["Find", "Runs", "Approvals", "Agents", "Usage", "Audit"]));
  for (const name of names) {
    await tabs.filter({ hasText: name }).click();
    await page.getByText("Up to date").waitFor();
    await lookEverywhere(page, `truth-tab-${name}`);
  }
});
