import type { WorkflowDefinition } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { startRunZone } from "./start-run-zone.ts";
import { artifact, useBrowser } from "./use-browser.ts";

const open = useBrowser();

/** A workflow of one step. */
const workflow: WorkflowDefinition = {
  workflow_id: "prepare",
  name: "Prepare a text",
  version: "1.0.0",
  start_step: "seal",
  steps: { seal: { id: "seal", type: "agent", agent_name: "seal-agent", input_mapping: { text: "a text" } } },
};

test("a run that fails again after a retry shows one error, every attempt, and the time of its last attempt only", async () => {
  const zone = await startRunZone(() => {
    throw new Error("The agent is suspended for now. Try again in 3600 s.");
  });
  const run = await zone.start(workflow);
  const page = await open(`${zone.url}/runs/${run}#token=${zone.token}`);
  const header = page.locator(".run-header");
  await header.getByText("suspended for now").waitFor();
  await page.getByRole("button", { name: "Retry…" }).click();
  await page.getByRole("button", { name: "Retry run" }).click();
  await header.getByText("Attempt").waitFor();
  await page.getByTestId("run-state").getByText("Failed").waitFor();
  const text = await header.innerText();
  expect(text).not.toContain("The run continues");
  expect(text).not.toContain("Retryable");
  expect(text).toMatch(/Try again at \d+:\d+:\d+/);
  expect(await header.getByText("Took").locator("..").innerText()).toMatch(/\d ms$/);
  await page.getByRole("button", { name: "Go to seal" }).click();
  await page.getByRole("complementary", { name: "Details" }).locator(".attempt").nth(1).waitFor();
  expect(
    await page
      .getByRole("complementary", { name: "Details" })
      .locator(".attempt")
      .getByText("suspended for now")
      .count(),
  ).toBe(2);
  await page.screenshot({ path: artifact("failed-again.png") });
});

test("a run that a retry can't fix offers no retry, and says what to do instead", async () => {
  const zone = await startRunZone(({ input_data }) => input_data);
  const run = await zone.start({ ...workflow, output_mapping: "${seal.output.response}" });
  const page = await open(`${zone.url}/runs/${run}#token=${zone.token}`);
  await page.getByText("`seal.output` has no field `response`. It has: text.").waitFor();
  await page.getByText("A retry would fail the same way.").waitFor();
  expect(await page.getByRole("button", { name: /Retry/ }).count()).toBe(0);
  await page.screenshot({ path: artifact("no-retry.png") });
});
