import { text as contentOf } from "node:stream/consumers";
import { readPublicKey, verdictText, verifyAudit } from "@crosszone/audit/verify";
import type { InputSchema } from "@crosszone/contracts";
import { newPostgresDatabase, newSqliteDatabase } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { adminToken, workflowOf } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";
import { artifact, look, lookEverywhere, seriousProblems, useBrowser } from "./use-browser.ts";

const open = useBrowser();
const openRefusing = useBrowser({ expectsRefusals: true });

const asksBob = { id: "ok", type: "human", input: "approve", next_step: null } as const;
const decide = { people: ["U0BOB000001", "bootstrap"], groups: ["S0ONCALL001"] };
const action = { tool: "pay", arguments: { cents: 1200, to: "Acme" } };
const pay = workflowOf("pay", [{ ...asksBob, title: "Approve", prompt: "Pay 12.00 EUR to Acme?", action, decide }], {
  name: "Pay an invoice",
});

const form: InputSchema = {
  type: "object",
  properties: {
    days: { type: "integer", title: "Days", description: "At most 9", minimum: 1, maximum: 9, default: 2 },
    mail: { type: "string", title: "E-mail", format: "email" },
    city: { type: "string", enum: ["Berlin", "Paris"] },
    begin: { type: "string", title: "Begins", format: "date" },
    paid: { type: "boolean", title: "Paid" },
    note: { type: "string", title: "Note", default: "hidden\u200b" },
  },
  required: ["days", "mail"],
};
const byRequester = { type: "human", decide: { requester: true } } as const;

/** What a token answers in the console. */
const trip = workflowOf("trip", [
  { ...byRequester, id: "why", input: "text", prompt: "Why do you travel?", next_step: "form" },
  { ...byRequester, id: "form", input: "form", prompt: "Where do you go?", schema: form, next_step: null },
]);

/** Verification reads the names of those who decide what a run of the API asks. */
const publish = workflowOf("publish", [{ ...asksBob, prompt: "Publish it?", decide: { people: ["U0BOB000001"] } }], {
  name: "Publish a text",
});

/** Starts both zones with two runs that wait for Bob: Alice asked for one in Slack, and a token started the other. */
async function startWaiting(url: string) {
  const zones = await startWithAgents({ env: databaseEnv(url) });
  zones.slack.control.putUserGroup({ id: "S0ONCALL001", handle: "oncall", name: "On call", users: ["U0BOB000001"] });
  await zones.api.create(pay);
  await zones.api.create(publish);
  zones.write({ text: "ask pay: invoice 7" });
  const waiting = async (): Promise<string> => JSON.stringify(await zones.api.runs("waiting=true"));
  const often = { timeout: 30_000, interval: 500 };
  await expect.poll(waiting, often).toContain("pay");
  await zones.api.start("publish", {});
  await expect.poll(waiting, often).toContain("Bob Carter");
  return zones;
}

const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "Console" }).getByRole("link", { name });

test.each([
  ["SQLite", newSqliteDatabase],
  ["PostgreSQL", newPostgresDatabase],
])(
  "on %s an operator sees for whom a run waits, decides by keyboard, and finds the decision in the audit log",
  async (engine, newDatabase) => {
    const zones = await startWaiting(await newDatabase());
    const page = await open("about:blank");
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(zones.url)) elsewhere.push(request.url());
    });
    await page.goto(`${zones.url}/console/runs#token=${adminToken}`);
    const row = page.getByRole("row", { name: /Pay an invoice/ });
    await row.getByText("Waiting for Bob Carter, bootstrap, @oncall").waitFor();
    await page
      .getByRole("row", { name: /Publish a text/ })
      .getByText("Waiting for Bob Carter")
      .waitFor();
    expect(await row.getAttribute("data-state")).toBe("waiting");
    await row.getByText(/Alice/).waitFor();
    expect(await row.getByRole("link", { name: "Open in Slack" }).getAttribute("href")).toMatch(
      /^https:\/\/app\.slack\.com\/client\/T\w+\/D\w+\/thread\/D\w+-\d+\.\d+$/,
    );
    await page.getByLabel("State").selectOption("running");
    await page.getByText("Nothing matches the filter.").waitFor();
    await page.getByLabel("State").selectOption("waiting");
    await row.waitFor();
    expect(new URL(page.url()).search).toBe("?state=waiting");
    await look(page, `console-runs-${engine}`);

    await page.getByRole("heading", { name: "Runs" }).click();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("Next row").waitFor();
    await page.keyboard.press("Escape");
    for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
    expect(await page.locator(":focus").innerText()).toBe("Publish a text");
    for (const key of ["j", "Enter"]) await page.keyboard.press(key);
    await page.getByTestId("run-state").getByText("Waiting for people").waitFor();
    await page.locator(".run-facts").getByText(/Alice/).waitFor();
    await look(page, `console-run-${engine}`);
    await page.goBack();
    await row.waitFor();
    expect(await page.getByLabel("State").inputValue()).toBe("waiting");

    await tab(page, "Approvals").click();
    await page.getByLabel("Show").selectOption("mine");
    await page.getByText("Bob Carter, bootstrap, @oncall").waitFor();
    expect(await page.getByText(/U0BOB|U0ALICE|S0ONCALL/).count()).toBe(0);
    await look(page, `console-approvals-${engine}`);
    await page.getByRole("link", { name: "Pay 12.00 EUR to Acme?" }).press("Enter");
    await page.getByText('"cents": 1200').waitFor();
    await page.locator("dd", { hasText: /^Alice/ }).waitFor();
    await look(page, `console-approval-${engine}`);
    await page.getByRole("button", { name: "Approve…" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("invoice 7");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("Approved", { exact: true }).waitFor();
    await page.getByText(/approved through the API on .*: invoice 7/).waitFor();
    expect(await page.getByRole("button", { name: /Approve|Deny|Withdraw/ }).count()).toBe(0);

    const receipt = page.locator("dd a[href^='/console/audit/']");
    await receipt.click();
    await page.getByText(/^Event \d+ of the signed log$/).waitFor();
    await look(page, `console-event-${engine}`);
    await page.route("**/receipt", async (route) => {
      const body = (await (await route.fetch()).text()).replace('"outcome":"done"', '"outcome":"rejected"');
      await route.fulfill({ contentType: "application/json", body });
    });
    await page.reload();
    await page.getByText("Rejected", { exact: true }).waitFor();
    expect(await page.getByText(/of the signed log$/).count()).toBe(0);
    expect(elsewhere).toEqual([]);

    await page.goto(`${zones.url}/console/approvals`);
    await page.getByRole("link", { name: "Publish it?" }).click();
    await page.getByRole("button", { name: "Withdraw…" }).click();
    await page.getByLabel("Reason (optional)").fill("The text is <wrong>");
    await page.getByRole("button", { name: "Withdraw request" }).click();
    await page.getByText("The text is <wrong>").waitFor();
    await look(page, `console-withdrawn-${engine}`);
    await zones.slack.control.waitForMessage((message) =>
      /Withdrawn.*Withdrawn by bootstrap.*“The text is &lt;wrong&gt;”/s.test(JSON.stringify(message.blocks)),
    );
    const runs = async () => JSON.stringify(await zones.api.runs("workflow_id=publish&open=false"));
    await expect.poll(runs).toContain("Withdrawn by bootstrap. The text is <wrong>");
  },
);

/** A field that the browser checks. */
interface Checked {
  readonly validity: { readonly valueMissing: boolean; readonly rangeOverflow: boolean };
}

test("a person who may decide answers texts and forms in the console, and sees each problem at its field, also on a phone", async () => {
  const zones = await startWithAgents({});
  await zones.api.create(trip);
  const id = await zones.api.start("trip", {});
  const page = await openRefusing(`${zones.url}/console/approvals#token=${adminToken}`, { width: 390, height: 844 });
  const dialog = page.getByRole("dialog");
  await page.getByRole("link", { name: "Why do you travel?" }).press("Enter");
  await page.getByRole("button", { name: "Answer…" }).press("Enter");
  // The text has the focus; the browser leads back to it while it is empty.
  for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);
  expect(
    await dialog.getByLabel("Answer").evaluate((field) => (field as unknown as Checked).validity.valueMissing),
  ).toBe(true);
  await page.keyboard.type("To see <b>Acme</b>");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Answered", { exact: true }).waitFor();

  await page.goto(`${zones.url}/console/approvals`);
  await page.getByRole("link", { name: "Where do you go?" }).press("Enter");
  await page.getByRole("button", { name: "Answer…" }).press("Enter");
  expect(await dialog.getByLabel("Days").inputValue()).toBe("2");
  expect(await dialog.getByLabel("Note").inputValue()).toBe("");
  await dialog.getByText("At most 9").waitFor();
  await dialog.getByLabel("Days").fill("12");
  await dialog.getByLabel("E-mail").fill("a@b");
  const send = dialog.getByRole("button", { name: "Send" });
  await send.click();
  expect(
    await dialog.getByLabel("Days").evaluate((field) => (field as unknown as Checked).validity.rangeOverflow),
  ).toBe(true);
  await dialog.getByLabel("Days").fill("3");
  // The browser accepts this address, the API does not.
  await send.press("Enter");
  await expect.poll(() => page.locator(":focus").getAttribute("name")).toBe("mail");
  expect(await page.locator(":focus").getAttribute("aria-invalid")).toBe("true");
  expect(await dialog.locator("#problem-mail").innerText()).toMatch(/email/i);
  expect(await dialog.getByLabel("Days").inputValue()).toBe("3");
  await lookEverywhere(page, "console-form");
  await dialog.getByLabel("E-mail").fill("a@acme.example");
  await dialog.getByLabel("city").selectOption("Paris");
  await dialog.getByLabel("Begins").fill("2026-12-01");
  await dialog.getByLabel("Paid").selectOption("No");
  await send.click();
  await page.getByText("Answered", { exact: true }).waitFor();
  const values = { days: 3, mail: "a@acme.example", city: "Paris", begin: "2026-12-01", paid: false };
  expect((await zones.api.ended(id)).output).toMatchObject({ verdict: "answer", values });
});

test("the browser verifies the audit log as the command line does, and names the first changed event", async () => {
  const zones = await startWaiting(await newSqliteDatabase());
  const page = await open(`${zones.url}/console/audit?action=workflow.create#token=${adminToken}`);
  await page.locator("tbody tr").first().waitFor();
  for (const text of await page.locator("tbody tr").allInnerTexts()) expect(text).toContain("Workflow saved");
  await tab(page, "Audit").click();
  await page.locator("tbody").getByText("Run started").first().waitFor();
  await look(page, "console-audit");
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const text = await contentOf(await (await downloading).createReadStream());
  const { public_key } = (await zones.api.get("/audit/checkpoint")) as { readonly public_key: string };
  const keys = [readPublicKey(public_key)];
  expect((await verifyAudit(text.split("\n"), { keys })).finding).toBeUndefined();

  await page.getByRole("link", { name: "Verify" }).click();
  const verdict = page.getByTestId("verdict");
  const verify = page.getByRole("button", { name: "Verify" });
  await verify.click();
  await verdict.getByText(/^The audit log is intact: \d+ events, \d+ checkpoints/).waitFor();
  await look(page, "console-verify");

  const forgeries = [
    (line: string, number: number) => (number === 3 ? line.replace('"outcome":"done"', '"outcome":"rejected"') : line),
    (line: string, number: number) => (number === 3 ? "" : line),
    (line: string) => line.replace(/"checkpoint":"/, '"checkpoint":"x'),
  ];
  for (const forge of forgeries) {
    const forged = text.split("\n").map(forge);
    const expected = verdictText(await verifyAudit(forged, { keys }));
    expect(expected).not.toContain("intact");
    await page.unrouteAll();
    await page.route("**/api/v1/audit/export", (route) => route.fulfill({ body: forged.join("\n") }));
    await verify.click();
    await verdict.getByText(expected).waitFor();
  }
  await page.unrouteAll();
  await page.getByLabel("Public key").fill(Buffer.alloc(32, 7).toString("base64"));
  await verify.click();
  await verdict.getByText(/^BAD_SIGNATURE/).waitFor();
  await page.getByLabel("Public key").fill("no key");
  await verify.click();
  await verdict.getByText("Expected an Ed25519 public key").waitFor();
});

test("a token sees the tabs and the buttons that the API accepts from it, and on a phone nothing is wider than the screen", async () => {
  const zones = await startWaiting(await newSqliteDatabase());
  const { token } = (await zones.api.post("/tokens", { name: "reader", scopes: ["runs:read"], expires_in: 3_600 })) as {
    readonly token: string;
  };
  const page = await open(`${zones.url}/console/runs#token=${token}`, { width: 390, height: 844 });
  const tabs = page.getByRole("navigation", { name: "Console" });
  await page.getByRole("link", { name: "Pay an invoice" }).waitFor();
  expect(await tabs.getByRole("link").allInnerTexts()).toEqual(expect.arrayContaining(["Runs", "Approvals"]));
  expect(await tabs.getByRole("link", { name: "Audit" }).count()).toBe(0);
  await page.getByText("token:reader").waitFor();
  for (const name of ["Approvals", "Runs"]) {
    await tab(page, name).click();
    await page.locator(".row-link").first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    await page.screenshot({ path: artifact(`console-phone-${name}.png`) });
    expect(await seriousProblems(page)).toEqual([]);
    await page.locator(".row-link").first().click();
    await page.getByText("Waiting for people").first().waitFor();
    expect(await page.getByRole("button", { name: /Approve|Deny|Withdraw|Cancel|Retry/ }).count()).toBe(0);
  }
  await page.goto(`${zones.url}/console/nowhere`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});
