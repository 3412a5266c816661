import type { BulkAction, WorkflowDefinition } from "@crosszone/contracts";
import { startZone } from "@crosszone/execution/testing";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { adminToken, runsApi } from "../harness/runs-api.ts";
import { artifact, seriousProblems, useBrowser } from "./use-browser.ts";

const open = useBrowser({ expectsRefusals: true });
const decide = { people: ["token:ops"], requester: true };
const ask = { id: "ask", type: "human", input: "approve", prompt: "Go on?", decide };
const workflow = { workflow_id: "wait", name: "Wait", version: "1", start_step: "ask", steps: { ask } };

/** Starts a zone with runs that wait for a person. */
async function startRuns(count: number) {
  const zone = await startZone(undefined, { env: { ADMIN_TOKENS: adminToken } });
  const api = runsApi(zone.url);
  await api.create(workflow as WorkflowDefinition);
  const runs: string[] = [];
  while (runs.length < count) runs.push(await api.start("wait", {}));
  return { ...zone, runs, page: () => open(`${zone.url}/console/runs#token=${adminToken}`) };
}

const dialog = (page: Page) => page.getByRole("dialog");

test("many runs are canceled at once: their number is typed, and the page shows what became of each", async () => {
  const zone = await startRuns(52);
  const page = await zone.page();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByText("50 selected").waitFor();
  await page.getByRole("button", { name: "Select all that match" }).click();
  await page.getByText("52 selected").waitFor();
  await page.getByRole("checkbox", { name: `Select ${zone.runs[51]}` }).uncheck();
  await page.getByText("51 selected").waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.screenshot({ path: artifact("console-select.png") });
  await page.getByRole("button", { name: "Cancel…" }).click();
  // Without the number, or with another, nothing happens.
  await dialog(page).getByRole("button", { name: "Cancel 51" }).click();
  await dialog(page).getByLabel("Type 51 to confirm").fill("12");
  await dialog(page).getByRole("button", { name: "Cancel 51" }).click();
  expect(await dialog(page).isVisible()).toBe(true);
  expect((await zone.acts()).filter(({ action }) => action.startsWith("bulk"))).toEqual([]);
  await dialog(page).getByLabel("Type 51 to confirm").fill("51");
  await dialog(page).getByRole("button", { name: "Cancel 51" }).click();
  await page.getByText("51 of 51 done").waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/console\/bulk\/[\w-]+$/);
  const acts = (await zone.acts()).filter(({ action }) => action === "run.cancel");
  expect(acts.map(({ target }) => target.id).toSorted()).toEqual(zone.runs.slice(0, 51).toSorted());
  // The page is the bulk action's own: it shows the same after a reload.
  await page.reload();
  await page.getByText("51 of 51 done").waitFor();
  await page.getByRole("link", { name: "Bulk actions" }).click();
  await page.getByRole("link", { name: "Cancel runs" }).waitFor();
});

test("what can't be changed is named with its reason, also on a phone and in the dark", async () => {
  const zone = await startRuns(2);
  const page = await zone.page();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Retry…" }).click();
  // Few rows need no number.
  await dialog(page).getByRole("button", { name: "Retry 2" }).click();
  await page.getByText("0 of 2 done, 2 skipped").waitFor();
  // As if one had failed and the action still ran: the buttons of both.
  let state = "running";
  await page.route(/bulk-actions\/[\w-]+$/, async (route) => {
    const { ended_at, problems, ...real } = (await (await route.fetch()).json()) as BulkAction;
    const [first, ...more] = problems ?? [];
    const ended = state === "running" ? {} : { ended_at };
    await route.fulfill({ json: { ...real, ...ended, state, problems: [{ ...first, outcome: "failed" }, ...more] } });
  });
  const stopping = page.waitForRequest(/bulk-actions\/[\w-]+\/stop$/);
  await page.reload();
  await page.getByRole("button", { name: "Stop" }).click();
  await stopping;
  state = "stopped";
  await page.reload();
  await page.getByRole("button", { name: "Try the 1 that failed again" }).waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try the 1 that failed again" }).click();
  await page.getByText("0 of 1 done, 1 skipped").waitFor();
  await page.goBack();
  const reasons = page.getByRole("table", { name: "Items that were skipped or failed" });
  await expect.poll(() => reasons.getByText("The run is running.").count()).toBe(2);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await seriousProblems(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await page.screenshot({ path: artifact(`console-bulk-${colorScheme}.png`) });
  }
});

test("without Kafka there are no dead letters, and the page says so", async () => {
  const zone = await startRuns(0);
  const page = await zone.page();
  await page.getByRole("link", { name: "Dead letters" }).click();
  expect(await page.getByText("No dead letters.").textContent()).toContain("Kafka");
});
