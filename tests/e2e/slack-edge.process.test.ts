import { resolve } from "node:path";
import { type Forgery, startDevSlack, type DevSlack } from "@crosszone/dev-slack";
import { converse } from "@crosszone/dev-slack/client";
import { describe, expect, test, onTestFinished, vi } from "vitest";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { startExecution } from "../harness/start-execution.ts";
import { startProcess, type LogLine } from "../harness/start-process.ts";

const started = (log: Record<string, unknown>[]): number =>
  log.filter(({ zone, event }) => zone === "execution" && event === "task_started").length;

describe("a request that is not from Slack or not recent gets no answer", () => {
  const forgeries: [Forgery["kind"], status: number, why: string][] = [
    ["wrong_secret", 401, "a signature with another secret"],
    ["no_headers", 401, "S1: no signature at all"],
    ["stale", 401, "a signature of six minutes ago"],
    ["future", 401, "S2: a correct signature from the future"],
    ["suffix", 401, "a correct signature with something behind it"],
    ["v1", 401, "another signature version"],
    ["too_large", 413, "a body over the limit"],
  ];

  test.each(forgeries)("%s is refused with %i (%s)", async (kind, status) => {
    const zones = await startCrosszone();
    expect(await zones.slack.control.forge({ kind, text: "2+2" })).toMatchObject({ status });
    expect(started(zones.log)).toBe(0);
    const real = zones.write({ text: "2+2" });
    expect((await zones.answerTo(real)).markdown_text).toContain("4");
  });

  test("a correctly signed event of another app is refused", async () => {
    const zones = await startCrosszone();
    const { status } = await zones.slack.control.forge({ kind: "wrong_app", text: "2+2" });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(started(zones.log)).toBe(0);
  });

  test("without SLACK_APP_ID, an event of another app is refused by the app id that Slack returns", async () => {
    const zones = await startCrosszone({ env: { SLACK_APP_ID: "" } });
    expect(await zones.slack.control.forge({ kind: "wrong_app", text: "2+2" })).toMatchObject({ status: 403 });
    expect(started(zones.log)).toBe(0);
    expect((await zones.answerTo(zones.write({ text: "2+2" }))).markdown_text).toContain("4");
    const asked = zones.slack.control.traffic().filter(({ name }) => name === "bots.info");
    expect(asked).toHaveLength(1);
  });

  test("without SLACK_APP_ID and users:read, one warning says what to set, and events are accepted as before", async () => {
    const zones = await startCrosszone({ env: { SLACK_APP_ID: "" }, slack: { scopes: ["chat:write"] } });
    for (const text of ["2+2", "3+3"])
      expect(await zones.slack.control.forge({ kind: "wrong_app", text })).toMatchObject({ status: 200 });
    const warnings = zones.log.filter(({ event }) => event === "slack_app_unknown");
    expect(warnings).toMatchObject([{ level: "warn", code: "missing_scope" }]);
    expect(warnings[0]?.["advice"]).toContain("Set SLACK_APP_ID");
  });

  test("S3: a replay, byte for byte, is acknowledged and runs nothing", async () => {
    const zones = await startCrosszone();
    const root = zones.write({ text: "2+2" });
    await zones.answerTo(root);
    await zones.slack.control.idle();
    expect(await zones.slack.control.replay()).toMatchObject({ status: 200 });
    await zones.slack.control.idle();
    expect(started(zones.log)).toBe(1);
    expect(zones.replies(root)).toHaveLength(1);
  });
});

describe("failed deliveries", () => {
  test("S6: when only Slack's retries arrive, the message is still answered", async () => {
    const zones = await startCrosszone();
    zones.slack.control.setDelivery({ drop_first: true });
    const root = zones.write({ text: "2+2" });
    expect((await zones.answerTo(root)).markdown_text).toContain("4");
  });

  test("S7: the acknowledgment does not wait for Slack's Web API or the answer", async () => {
    const zones = await startCrosszone();
    zones.slack.control.setFault({ method: "*", kind: "hang", times: 1 });
    zones.write({ text: "slow 1" });
    await zones.slack.control.idle();
    const event = zones.slack.control.traffic().find(({ kind }) => kind === "event");
    expect(event).toMatchObject({ status: 200 });
    expect(event?.ms).toBeLessThan(1_000);
  });
});

test("Slack's handshake that checks the events URL", async () => {
  const zones = await startCrosszone();
  expect(await zones.slack.control.verifyUrl()).toMatchObject({ status: 200, ok: true });
});

type Started = Awaited<ReturnType<typeof startOverSocket>>;

/** Starts a process of verification in Socket Mode. */
async function startOverSocket(env: (slack: DevSlack) => Record<string, string>) {
  const log: LogLine[] = [];
  const token = "link-token-of-thirty-two-characters";
  const execution = await startExecution({ token, log: [] });
  const slack = await startDevSlack();
  onTestFinished(async () => {
    await slack.close();
    await execution.stop();
  });
  const zone = await startProcess({
    cwd: resolve(import.meta.dirname, "../../apps/verification"),
    args: ["--conditions=@crosszone/source", "src/main.ts"],
    onLine: (line) => void log.push(line),
    env: {
      VERIFICATION_PORT: "0",
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      EXECUTION_URL: `${execution.url}/rpc`,
      EXECUTION_TOKEN: token,
      ...env(slack),
    },
  });
  return { ...zone, log, slack };
}

const refusals = ({ log }: Started): LogLine[] => log.filter(({ event }) => event === "slack_not_identified");

describe("Socket Mode, when Slack refuses it", () => {
  test("a revoked app-level token is reported with what to do; the process is not ready, but stays alive", async () => {
    const zone = await startOverSocket(() => ({ SLACK_APP_TOKEN: "xapp-1-revoked" }));
    await vi.waitFor(() => expect(refusals(zone).length).toBeGreaterThan(1), 10_000);
    expect(refusals(zone)[0]).toMatchObject({ kind: "slack_refused", code: "invalid_auth", attempt: 1 });
    expect(refusals(zone)[0]?.["advice"]).toMatch(/check SLACK_APP_TOKEN: an app-level token with connections:write/);
    expect((await fetch(`${zone.url}/readyz`)).status).toBe(503);
    expect(await zone.stop()).toBe(0);
    expect(zone.log.map(({ event }) => event)).not.toContain("unhandled_rejection");
  });

  test("a token that is revoked while the zone runs is reported when the socket ends, and a valid one reconnects", async () => {
    const zone = await startOverSocket(() => ({}));
    await vi.waitFor(() => expect(zone.log.map(({ event }) => event)).toContain("slack_identified"), 10_000);
    zone.slack.control.setFault({ method: "apps.connections.open", kind: "error", error: "token_revoked", times: 2 });
    zone.slack.control.refreshSockets();
    await vi.waitFor(() => expect(refusals(zone).length).toBe(2), 10_000);
    expect(refusals(zone)[0]).toMatchObject({ kind: "slack_refused", code: "token_revoked" });
    await vi.waitFor(
      () => expect(zone.log.filter(({ event }) => event === "slack_identified")).toHaveLength(2),
      10_000,
    );
    const { write, answerTo } = converse(zone.slack.control);
    expect((await answerTo(write({ text: "2+2 in words?" }), 15_000)).text).toContain("four");
    expect(await zone.stop()).toBe(0);
  });
});
