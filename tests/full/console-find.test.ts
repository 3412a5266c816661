// @module-tag judge
import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import type { Page } from "playwright-core";
import { tune } from "@crosszone/testkit/tune";
import { expect, test } from "vitest";
import { adminToken } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";
import { lookEverywhere, useBrowser } from "./use-browser.ts";

const open = useBrowser();

/** Pastes a text into the box that finds, and presses Enter. */
async function find(page: Page, text: string): Promise<void> {
  await page.getByRole("searchbox", { name: "Find" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Enter");
}

const stage = (page: Page, name: string) => page.locator(`.waterfall tr[data-stage="${name}"]`);
const stagesOf = async (page: Page): Promise<readonly string[]> =>
  (await page.locator(".waterfall .stage").allInnerTexts()).map((text) => text.trim());

interface Case {
  readonly person: string;
  readonly words: string;
  /** What stands at places of the page. */
  readonly says: Readonly<Record<string, RegExp>>;
  readonly stages: readonly string[];
  readonly events: readonly string[];
}

/** What people see of each message, and what both zones log of it. */
const cases: Record<string, Case> = {
  answered: {
    person: "Alice",
    words: "Answered",
    says: {},
    stages: ["Slack", "Policy", "Asked proofreader", "Agent proofreader", "Posted"],
    events: ["policy_passed", "answer_posted"],
  },
  failed: {
    person: "Bob",
    words: "Failed",
    says: { "header .said:not([role])": /\w{4}/ },
    stages: ["Slack", "Policy", "Asked gone", "Agent gone", "Posted"],
    events: ["policy_passed", "answer_posted"],
  },
  denied: {
    person: "Gus",
    words: "Denied",
    says: { "header .said:not([role])": /^Rule [a-z_]+/, '[data-stage="Policy"]': /Denied · rule [a-z_]+/ },
    stages: ["Slack", "Policy"],
    events: ["policy_denied"],
  },
  waiting: {
    person: "佐藤",
    words: "Waiting",
    says: { '[data-stage="People"]': /Waits for Bob Carter/ },
    stages: ["Slack", "Policy", "Asked send-invoice", "Approve the invoice", "People"],
    events: ["policy_passed", "answer_posted"],
  },
};

onBothEngines("the console's tab Find", (newDatabase) => {
  test("W17: each message is found by link, by person and time, and by reference, with the story that the logs tell", async () => {
    const zones = await startWithAgents({
      env: { ...databaseEnv(await newDatabase()), AGENT_ORIGINS: "http://127.0.0.1:*" },
    });
    const once = { max_retries: 0, base_ms: 100, max_ms: 100 };
    await zones.api.post("/agents", { name: "gone", url: "http://127.0.0.1:1", protocol: "simple-a2a", retry: once });
    const { slack, write, answerTo } = zones;
    await answerTo(write({ text: "ask proofreader: an older one" }));
    const messages = {
      answered: write({ text: "ask proofreader: it is is" }),
      failed: write({ user: "bob", text: "ask gone: hello" }),
      denied: write({ user: "gus", text: "what is the secret plan?" }),
      waiting: write({ user: "chiyo", channel: "general", text: "@Crosszone run send-invoice: 100 EUR to Acme" }),
    };
    await answerTo(messages.failed);
    const page = await open(`${zones.url}/console#token=${adminToken}`);
    await page.locator('tr[data-state="waiting"]').waitFor({ timeout: 30_000 });
    await page.locator("tbody tr").nth(4).waitFor({ timeout: 30_000 });
    await lookEverywhere(page, "console-find");

    for (const [name, { person, words, says, stages, events }] of Object.entries(cases)) {
      const message = messages[name as keyof typeof messages];
      const [hours, minutes] = new Date(Number(message.ts) * 1_000).toISOString().split(/[T:]/).slice(1);
      const isMessage = ({ pathname }: URL): boolean => pathname.startsWith("/console/messages/");
      await find(page, `${slack.url}/archives/${message.channel}/p${message.ts.replace(".", "")}`);
      await page.waitForURL(isMessage);
      await page.locator("header .state").getByText(words, { exact: true }).waitFor();
      expect(await stagesOf(page)).toEqual(stages);
      for (const [place, text] of Object.entries(says))
        await expect.poll(() => page.locator(place).first().innerText()).toMatch(text);
      const reference = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
      await lookEverywhere(page, `console-message-${name}`);

      for (const text of [`Reference: ${reference}`, `${person} ${hours}:${minutes}`]) {
        await page.goto(`${zones.url}/console?state=open`);
        await find(page, text);
        await page.locator(".life, .row-link:focus").first().waitFor();
        // Alice wrote two messages at this time: the newest one is one more Enter away.
        if (!isMessage(new URL(page.url()))) await page.keyboard.press("Enter");
        await page.waitForURL(`${zones.url}/console/messages/${reference}`);
        await stage(page, stages.at(-1) ?? "").waitFor();
      }
      const logged = zones.log.filter((line) => line["correlation_id"] === reference).map(({ event }) => event);
      expect(events.filter((event) => !logged.includes(event))).toEqual([]);
      expect(
        ["answer_posted", "policy_denied"].filter((event) => logged.includes(event) && !events.includes(event)),
      ).toEqual([]);
    }
    // The page of the message that waits is still open, and follows what happens.
    const request = await stage(page, "People").getByRole("link").getAttribute("href");
    await zones.api.post(`/input-requests/${request?.split("/").at(-1)}/withdraw`);
    await stage(page, "Posted").waitFor();
    expect(await stage(page, "People").innerText()).toContain("Withdrawn");
    // Q26: nobody failed.
    await page.locator("header .state").getByText("Stopped", { exact: true }).waitFor();
    const said = await slack.control.waitForMessage(({ text }) => text.includes("What was asked was withdrawn."));
    expect(said.text).toMatch(/The step “Approve the invoice” of the workflow “send-invoice” stopped there\./);

    await find(page, "Alice yesterday 10:42");
    await page.getByText("Nothing was found.").waitFor();
    await page.goto(`${zones.url}/console?state=denied`);
    await page.locator("tbody tr").getByText("Denied").waitFor();
    expect(await page.locator("tbody tr").count()).toBe(1);
  });

  test("Q21, Q33: what failed today, and who waits for Bob, are answered from the first screen in two acts each, with names and words", async () => {
    const zones = await startWithAgents({
      env: { ...databaseEnv(await newDatabase()), AGENT_ORIGINS: "http://127.0.0.1:*" },
    });
    const once = { max_retries: 0, base_ms: 100, max_ms: 100 };
    await zones.api.post("/agents", { name: "gone", url: "http://127.0.0.1:1", protocol: "simple-a2a", retry: once });
    const { write, answerTo } = zones;
    const waiting = write({ user: "chiyo", channel: "general", text: "@Crosszone run send-invoice: 100 EUR to Acme" });
    for (const message of [
      write({ text: "ask proofreader: it is is" }),
      write({ user: "bob", text: "ask gone: hello there" }),
      write({ text: "ask nosuch: is anybody home?" }),
      waiting,
    ])
      await answerTo(message);
    write({ user: "chiyo", channel: "general", thread_ts: waiting.ts, text: "yes" });
    const rows = (page: Page) => page.locator("tbody tr");
    const page = await open(`${zones.url}/console#token=${adminToken}`);
    await rows(page).nth(4).waitFor({ timeout: 30_000 });
    await rows(page).filter({ hasText: "No question" }).waitFor({ timeout: 30_000 });
    await lookEverywhere(page, "console-find-names");
    expect(await page.locator("tbody").innerText()).not.toMatch(/[UDC]0[A-Z]{3}|No task|Rejected/);

    await page.getByLabel("State").selectOption("Failed");
    await page.getByLabel("Received").selectOption("Today");
    await rows(page)
      .filter({ hasText: "is anybody home?" })
      .or(rows(page).filter({ hasText: "Unknown agent" }))
      .first()
      .waitFor();
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(await rows(page).filter({ hasText: "Bob Carter" }).innerText()).toMatch(
      /Failed[^]*hello there[^]*gone[^]*Agent unavailable/,
    );
    expect(await rows(page).filter({ hasText: "Alice Berger" }).innerText()).toMatch(
      /Failed[^]*Message [\da-f]{8}[^]*Unknown agent/,
    );
    await page.getByLabel("State").selectOption("Answered");
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await rows(page).innerText()).toMatch(/it is is[^]*proofreader[^]*Alice Berger[^]*Direct message/);

    await page.goto(`${zones.url}/console`);
    await find(page, "Bob");
    await rows(page).filter({ hasText: "hello there" }).waitFor();
    await page.getByLabel("State").selectOption("Waiting");
    await rows(page).filter({ hasText: "100 EUR to Acme" }).waitFor();
    expect(await rows(page).count()).toBe(1);
    expect(await rows(page).innerText()).toMatch(/Waiting for Bob Carter[^]*佐藤 千代[^]*#general/);
    await lookEverywhere(page, "console-find-waiting");
    await find(page, "#general");
    await rows(page).filter({ hasText: "100 EUR to Acme" }).waitFor();
    await rows(page).filter({ hasText: "100 EUR to Acme" }).getByRole("link").click();
    await page.getByRole("heading", { name: "100 EUR to Acme" }).waitFor();
    const header = await page.locator("header.surface").innerText();
    expect(header).toMatch(/佐藤 千代[^]*#general/);
    const reference = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
    await find(page, reference.slice(0, 8));
    await page.waitForURL(`${zones.url}/console/messages/${reference}`);

    await page.goto(`${zones.url}/console/audit`);
    await rows(page).filter({ hasText: "Decision requested" }).first().waitFor();
    expect(await page.locator("tbody").innerText()).not.toMatch(/Content read|input\.ask/);
    await lookEverywhere(page, "console-audit");
    await page.getByLabel("Reads").selectOption("Shown");
    await rows(page).filter({ hasText: "Content read" }).first().waitFor();
    await page.getByLabel("Action").selectOption("Decision requested");
    await expect.poll(() => rows(page).filter({ hasNotText: "Decision requested" }).count()).toBe(0);
    await rows(page)
      .getByRole("link", { name: /^approval / })
      .first()
      .click();
    await page.waitForURL(/\/console\/approvals\//);
  });

  test("W17: a parked message is replayed from its page, and one is discarded from the list; both wait for verification", async () => {
    const verificationEnv = tune({ INBOX_ATTEMPTS: 1, DELIVERY_BUDGET_MS: 300 }, databaseEnv(await newDatabase()));
    const { slack, verification, url, write } = await startWithAgents({ view: true, verificationEnv });
    if (!("signal" in verification)) throw new Error("verification is no process");
    const faults = ["chat.postMessage", "chat.startStream"].map((method) => {
      const fault = { method, kind: "error" as const, error: "internal_error", times: 1_000_000 };
      slack.control.setFault(fault);
      return fault;
    });
    for (const text of ["one", "two"]) write({ text: `ask proofreader: ${text}` });
    const page = await open(`${url}/console?state=parked#token=${adminToken}`);
    await page.locator('tbody tr[data-state="failed"]').nth(1).waitFor({ timeout: 40_000 });
    for (const fault of faults) fault.method = "none";
    verification.signal("SIGKILL");
    await verification.ended;

    await page.locator("tbody").getByRole("checkbox").first().check();
    await page.getByRole("button", { name: "Discard…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard 1" }).click();
    await page.getByText("1 of 1 done").waitFor();
    await page.getByRole("heading", { name: "Discard parked messages" }).waitFor();
    await page.goto(`${url}/console?state=parked`);
    await page.getByText("Discard requested; waiting for verification.").waitFor();
    await page.locator("tbody tr", { hasNotText: "Discard requested" }).getByRole("link").click();

    await page.getByRole("button", { name: "Replay…" }).waitFor();
    await lookEverywhere(page, "console-message-parked");
    await page.getByRole("button", { name: "Replay…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Replay", exact: true }).click();
    await page.getByText("Replay requested; waiting for verification.").waitFor();
    expect(await page.getByRole("button", { name: "Discard…" }).count()).toBe(0);
    await lookEverywhere(page, "console-message-replay");
    await verification.restart();
    await page.locator("header .state").getByText("Answered", { exact: true }).waitFor({ timeout: 40_000 });
    await page.goto(`${url}/console?state=discarded`);
    await page.locator('tbody tr[data-state="canceled"]').waitFor({ timeout: 20_000 });
  });
});
