import { resolve } from "node:path";
import { startDevSlack, type DevSlack } from "@crosszone/dev-slack";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startExecution } from "../harness/start-execution.ts";
import { startProcess, type LogLine, type ZoneProcess } from "../harness/start-process.ts";

interface Started extends ZoneProcess {
  log: LogLine[];
  slack: DevSlack;
}

/** Starts a process of verification in Socket Mode. */
async function startOverSocket(env: (slack: DevSlack) => Record<string, string>): Promise<Started> {
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
    const root = zone.slack.control.postMessage({ channel: "dm", text: "2+2 in words?" });
    const answer = await zone.slack.control.waitForMessage(
      ({ thread_ts, metadata }) => thread_ts === root.ts && metadata?.event_payload["state"] === "done",
      15_000,
    );
    expect(answer.markdown_text).toContain("four");
    expect(await zone.stop()).toBe(0);
  });
});
