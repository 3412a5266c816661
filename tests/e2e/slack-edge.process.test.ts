// suite: rest
import { type DevSlack, startDevSlack } from "@crosszone/dev-slack";
import { converse } from "@crosszone/dev-slack/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openTestZone } from "@crosszone/execution/testing";
import { type LogLine, startZoneProcess } from "@crosszone/testkit/process";
import { eventStatuses, sendMention } from "../harness/slack-actions.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";

const started = (log: Record<string, unknown>[]): number =>
  log.filter(({ zone, event }) => zone === "execution" && event === "task_started").length;

const mention = { user: "U0ALICE0001", channel: "C0GENERAL01" };
const ofAnotherApp = { api_app_id: "A0SOMEOTHER" };

describe("a request that is not from Slack or not recent gets no answer", () => {
  test("without SLACK_APP_ID, an event of another app is refused by the app id that Slack returns", async () => {
    const zones = await startCrosszone({ env: { SLACK_APP_ID: "" } });
    sendMention(zones, mention, ofAnotherApp);
    await expect.poll(() => eventStatuses(zones)).toEqual([403]);
    expect(started(zones.log)).toBe(0);
    expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
    const asked = zones.slack.control.traffic().filter(({ name }) => name === "bots.info");
    expect(asked).toHaveLength(1);
  });

  test("without SLACK_APP_ID and users:read, one warning says what to set, and events are accepted as before", async () => {
    const zones = await startCrosszone({
      env: { SLACK_APP_ID: "" },
      slack: { scopes: ["app_mentions:read", "chat:write"] },
    });
    for (const user of ["U0ALICE0001", "U0BOB000001"]) sendMention(zones, { ...mention, user }, ofAnotherApp);
    await zones.slack.control.idle();
    expect(eventStatuses(zones)).toEqual([200]);
    const warnings = zones.log.filter(({ event }) => event === "slack_app_unknown");
    expect(warnings).toMatchObject([{ level: "warn", code: "missing_scope" }]);
    expect(warnings[0]?.["advice"]).toContain("Set SLACK_APP_ID");
  });
});

type Started = Awaited<ReturnType<typeof startOverSocket>>;

/** Starts a process of verification in Socket Mode. */
async function startOverSocket(env: (slack: DevSlack) => Record<string, string>) {
  const log: LogLine[] = [];
  const token = "link-token-of-thirty-two-characters";
  const execution = await openTestZone(undefined, { tokens: [token] });
  const slack = await startDevSlack();
  onTestFinished(async () => {
    await slack.close();
    await execution.stop();
  });
  const variables = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    EXECUTION_URL: `${execution.url}/rpc`,
    EXECUTION_TOKEN: token,
    ...env(slack),
  };
  const zone = await startZoneProcess("verification", variables, { log });
  return { ...zone, log, slack };
}

const refusals = ({ log }: Started): LogLine[] => log.filter(({ event }) => event === "slack_not_identified");

describe("Socket Mode, when Slack refuses it", () => {
  test("a revoked app-level token is reported with what to do; the process is not ready, but stays alive", async () => {
    const zone = await startOverSocket(() => ({ SLACK_APP_TOKEN: "xapp-1-revoked" }));
    await vi.waitFor(() => expect(refusals(zone).length).toBeGreaterThan(1));
    expect(refusals(zone)[0]).toMatchObject({ kind: "slack_refused", code: "invalid_auth", attempt: 1 });
    expect(refusals(zone)[0]?.["advice"]).toMatch(/check SLACK_APP_TOKEN: an app-level token with connections:write/);
    expect((await fetch(`${zone.url}/readyz`)).status).toBe(503);
    expect(await zone.stop()).toBe(0);
    expect(zone.log.map(({ event }) => event)).not.toContain("unhandled_rejection");
  });

  test("a token that is revoked while the zone runs is reported when the socket ends, and a valid one reconnects", async () => {
    const zone = await startOverSocket(() => ({}));
    await vi.waitFor(() => expect(zone.log.map(({ event }) => event)).toContain("slack_identified"));
    zone.slack.control.setFault({ method: "apps.connections.open", kind: "error", error: "token_revoked", times: 2 });
    zone.slack.control.disconnectSockets("refresh_requested");
    await vi.waitFor(() => expect(refusals(zone).length).toBe(2));
    expect(refusals(zone)[0]).toMatchObject({ kind: "slack_refused", code: "token_revoked" });
    await vi.waitFor(() => expect(zone.log.filter(({ event }) => event === "slack_identified")).toHaveLength(2));
    const { write, answerTo } = converse(zone.slack.control);
    expect((await answerTo(write({ text: "2+2 in words?" }))).text).toContain("four");
    expect(await zone.stop()).toBe(0);
  });
});
