import { randomBytes, randomUUID } from "node:crypto";
import { request } from "node:http";
import { type DevSlackOAuthOptions, startDevSlackOAuth } from "@crosszone/dev-slack";
import { createHttpFiles } from "@crosszone/execution";
import { tune } from "@crosszone/testkit/tune";
import { onTestFinished } from "vitest";
import { serve, tempFolder } from "@crosszone/testkit/temporary";
import { openTestZone } from "@crosszone/execution/testing";
import type { LogLine } from "@crosszone/testkit/process";
import { type Browser, linkOf, type Shown, startBrowser } from "./browser.ts";
import { withPolicy } from "./temp-file.ts";
import { wideLimits, openVerification, type Verification } from "./start-crosszone.ts";

export type SeveralWorkspaces = Awaited<ReturnType<typeof startSeveralWorkspaces>>;

/** Opens the install page in the browser and follows it to Slack's page. */
export async function beginInstall({ url }: { readonly url: string }, browser: Browser): Promise<Shown> {
  return browser.open(linkOf(await browser.open(`${url}/slack/install`)));
}

/** Starts both zones, and two local workspaces that can install the app. Ends with the test. */
export async function startSeveralWorkspaces(
  options: { readonly slack?: DevSlackOAuthOptions; readonly env?: Record<string, string> } = {},
) {
  const log: LogLine[] = [];
  const token = `link-${randomUUID()}`;
  const folder = tempFolder();
  const door = await openDoor();
  const grantFiles = createHttpFiles({ url: door.url, maxBytes: 10_000_000, timeoutMs: 5_000 });
  const execution = await openTestZone(undefined, {
    ...wideLimits,
    tokens: [token],
    log,
    override: () => ({ grantFiles }),
  });
  const slack = await startDevSlackOAuth({
    ...options.slack,
    slack: { retryScheduleMs: [20, 60, 150], ...options.slack?.slack },
  });
  const redirectUrl = `${door.url}/slack/oauth_redirect`;
  slack.setApp({ eventsUrl: `${door.url}/slack/events`, redirectUrl });
  const base = {
    SLACK_CLIENT_ID: slack.clientId,
    SLACK_CLIENT_SECRET: slack.clientSecret,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_REDIRECT_URL: redirectUrl,
    SLACK_API_URL: slack.apiUrl,
    DATA_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    DATA_DIR: folder,
    ...withPolicy({
      allowed_teams: slack.slacks.map(({ workspace: { organization, team } }) => (organization ?? team).id),
    }),
    EXECUTION_URL: `${execution.url}/rpc`,
    EXECUTION_TOKEN: token,
    ...tune({ POLL_WAIT_MS: 500 }, options.env),
  };
  const start = (env: Record<string, string> = {}): Promise<Verification> =>
    openVerification({ env: { ...base, ...env }, log });
  let verification = await start();
  door.leadTo(verification.url);
  onTestFinished(async () => {
    await verification.stop();
    await execution.stop();
    await slack.close();
  });

  return {
    slack,
    /** URL of verification for browsers, Slack and execution. */
    url: door.url,
    /** The folder with the zone's data. */
    folder,
    log,
    /** Restarts verification on the same data. */
    restart: async (env?: Record<string, string>) => {
      door.leadTo(undefined);
      await verification.stop();
      verification = await start(env);
      door.leadTo(verification.url);
    },
    /** Starts another process of verification on the same data. It is not behind the fixed URL. */
    another: async () => {
      const one = await start();
      onTestFinished(() => one.stop());
      return one;
    },
    /** Clicks through an install and resolves with the last page. */
    install: async (team: string, browser = startBrowser()) =>
      browser.submit(await beginInstall({ url: door.url }, browser), { team, decision: "allow" }),
  };
}

/** Opens a fixed URL in front of a server that changes, as a load balancer has. Ends with the test. */
async function openDoor() {
  let behind: string | undefined;
  const url = await serve((incoming, response) => {
    if (behind === undefined) {
      response.writeHead(503).end();
      return;
    }
    const { method, url: path = "/", headers } = incoming;
    const going = request(new URL(path, behind), { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    going.on("error", () => response.destroy());
    incoming.pipe(going);
  });
  return {
    url,
    /** Forwards requests to this URL. Without one, they are answered with 503. */
    leadTo: (next: string | undefined) => void (behind = next),
  };
}
