import type { InputRequest, WorkflowStep } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { startRunZone } from "./start-run-zone.ts";
import { artifact, seriousProblems, useBrowser } from "./use-browser.ts";

const open = useBrowser({ expectsRefusals: true });

const asked: InputRequest = {
  request_id: "inp_3f2a5c6d7e8f9012",
  run_id: "r",
  step_id: "approve",
  kind: "approve",
  state: "open",
  version: 2,
  seq: 7,
  title: 'Send <img src=x onerror="alert(1)">\u3164 to Acme?',
  decide: { people: ["U1"], groups: ["S1"], requester: false, approve: 2, deny: 1 },
  visibility: "thread",
  agent: "prepare",
  requester: "U9",
  channel: "C1",
  thread_ts: "1764000000.000100",
  created_at: new Date(Date.now() - 120_000).toISOString(),
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  votes: [{ user_id: "U1", verdict: "approve", via: "slack", at: new Date().toISOString(), reason: "seen" }],
};

test("a run shows what it waits for and for whom, and after Withdraw the receipt, in both color schemes", async () => {
  const zone = await startRunZone(() => ({}));
  const ask: WorkflowStep = {
    id: "approve",
    type: "human",
    title: "Approve",
    input: "approve",
    prompt: "Send?",
    next_step: null,
  };
  const run = await zone.start({
    workflow_id: "prepare",
    name: "Prepare a text",
    version: "1.0.0",
    start_step: "approve",
    steps: { approve: ask },
  });
  const page = await open("about:blank");
  let request = asked;
  await page.route("**/api/v1/input-requests**", async (route) => {
    const isWithdraw = route.request().method() === "POST";
    if (isWithdraw)
      request = {
        ...asked,
        state: "withdrawn",
        closed_because: "An admin withdrew it.",
        decided_at: new Date().toISOString(),
      };
    await route.fulfill({ json: isWithdraw ? request : { input_requests: [request], total: 1, limit: 50, offset: 0 } });
  });
  await page.goto(`${zone.url}/runs/${run}#token=${zone.token}`);
  const box = page.locator(".run-header .inputs");
  const panel = page.getByRole("complementary", { name: "Details" });
  await box.getByText("U1, members of S1 (2 approvals needed)").waitFor();
  await box.getByText(/approved in Slack on .*: seen/).waitFor();
  await page.locator(".run-facts").getByText("U9").waitFor();
  await page.locator(".run-facts").getByText("C1 · 1764000000.000100").waitFor();
  await page.locator('.card[data-step="approve"]').click();
  await panel.getByRole("article", { name: asked.title.replace("\u3164", ""), exact: true }).waitFor();
  expect(await page.locator("img").count()).toBe(0);
  expect(await box.innerText()).not.toContain("\u3164");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await seriousProblems(page)).toEqual([]);
    await page.screenshot({ path: artifact(`run-waits-${colorScheme}.png`) });
  }
  await box.getByRole("button", { name: "Withdraw…" }).press("Enter");
  expect(await page.locator(":focus").innerText()).toBe("Keep waiting");
  await page.getByRole("button", { name: "Withdraw request" }).click();
  await panel.getByText("An admin withdrew it.").waitFor();
  expect(await page.getByRole("button", { name: "Withdraw…" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await panel.getByRole("region", { name: "Decisions" }).getByText("Withdrawn", { exact: true }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
  await page.screenshot({ path: artifact("run-decided.png") });
});
