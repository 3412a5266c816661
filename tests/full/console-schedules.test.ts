import { LLMock } from "@copilotkit/aimock";
import { freePort } from "@crosszone/testkit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import { tempFile } from "@crosszone/testkit/temporary";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { adminToken } from "../harness/runs-api.ts";
import { fillSchedule, pressSchedule } from "../harness/slack-schedules.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";
import { lookEverywhere, useBrowser } from "./use-browser.ts";

vi.setConfig({ testTimeout: 180_000 });

const open = useBrowser();
const row = (page: Page, text: string) => page.locator("tr").filter({ hasText: text });
const soon = { timeout: 30_000 };

const hook = (name: string, agent: string, secret = "AGENT_SECRET_HOOK") => `
  - name: ${name}
    owner: { team_id: T0CROSSZONE, user_id: U0ALICE0001 }
    sign: { kind: github }
    secrets: [env:${secret}]
    agent: ${agent}
    text: "\${body.action}"
    channel: C0GENERAL01
    cap: { fires: 9 }`;

onBothEngines("the console's schedules", (newDatabase) => {
  test("Q20, Q21: the first screen says when a schedule is next, what became of it and what it cost; it is fired and paused there", async () => {
    const model = await LLMock.create({ port: 0 });
    onTestFinished(() => model.stop());
    model.on({}, { content: "All is well.", usage: { input_tokens: 1_000, output_tokens: 9_000 } });
    const port = String(await freePort());
    const hooks = [hook("issues", "builtin"), hook("orders", "triage"), hook("lost", "builtin", "AGENT_SECRET_NONE")];
    const zones = await startWithAgents({
      env: {
        ...databaseEnv(await newDatabase()),
        ANTHROPIC_API_KEY: "key-of-the-mock",
        ANTHROPIC_BASE_URL: `${model.url}/v1`,
        ASK_PORT: port,
        EXECUTION_FILE: tempFile("hooks.yaml", `hooks:${hooks.join("")}\n`),
        AGENT_SECRET_HOOK: "a-secret-of-thirty-two-characters",
      },
    });
    const { slack } = zones;
    const settings = { agent: "assistant", answer: "How is it?", cron: "0 9 * * *" };
    const { view_id } = await fillSchedule(slack, { user: "alice", channel: "general", ...settings });
    await slack.control.submitView({ view_id, user: "alice" });
    await slack.control.waitForMessage(({ text }) => text.startsWith("Saved"), 20_000);
    await pressSchedule(slack, { user: "alice", change: "Run now" });
    await slack.control.waitForMessage(({ text }) => text.includes("All is well."), 30_000);
    const unsigned = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    const { status } = await fetch(`http://127.0.0.1:${port}/hooks/issues`, unsigned);
    expect(status).toBe(401);

    const page = await open(`${zones.url}/console#token=${adminToken}`);
    await page.getByRole("link", { name: "Schedules", exact: true }).click();
    const daily = row(page, "Daily report");
    await daily.getByText("Answered").waitFor(soon);
    expect(await daily.innerText()).toMatch(
      /Active[^]*asks assistant, 0 9 \* \* \*[^]*as Alice Berger, in #general[^]*in \d+ (h|min)[^]*(ago|now)[^]*\$\d/,
    );
    expect(await row(page, "issues").innerText()).toMatch(
      /Refuses[^]*as Alice Berger, in #general[^]*refused: signature missing 1[^]*1 refused/,
    );
    expect(await row(page, "orders").innerText()).toMatch(/Can't work[^]*triage is no agent or workflow/);
    expect(await row(page, "lost").innerText()).toMatch(/Not served[^]*AGENT_SECRET_NONE/);
    await lookEverywhere(page, "console-schedules");

    await page.getByRole("link", { name: "Daily report" }).click();
    await page.getByRole("button", { name: "Fire…" }).click();
    await page.getByRole("button", { name: "Fire schedule" }).click();
    await vi.waitUntil(async () => (await page.locator("tbody").getByText("Answered").count()) === 2, soon);
    await page.getByRole("button", { name: "Pause…" }).click();
    await page.getByRole("button", { name: "Pause schedule" }).click();
    await page.locator("header .chip").getByText("Paused").waitFor();
    await page.getByText("A person paused it.").waitFor();
    await lookEverywhere(page, "console-schedule");
    await page.getByRole("link", { name: "Changes in the audit log" }).click();
    for (const act of ["Schedule paused", "Schedule fired by hand"]) await row(page, act).first().waitFor();

    await page.goto(`${zones.url}/console/hooks/issues`);
    await page.getByText("No fires yet.").waitFor();
    await lookEverywhere(page, "console-hook");
  });
});
