import { createHmac, randomUUID } from "node:crypto";
import {
  close,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  createRecordCodec,
  listen,
} from "@crosszone/service-kit";
import { type VerificationEvent, verificationEvents } from "@crosszone/telemetry";
import { type Clock, systemClock } from "@crosszone/service-kit/timing";
import { expect, onTestFinished, vi } from "vitest";
import { VerificationApp } from "../zone/app.ts";
import type { VerificationDeps } from "../zone/open-zone.ts";
import type { Limits } from "../limits.ts";
import type { FileHost } from "../slack/files/open-file.ts";
import { createHandles } from "../link/handles.ts";
import { RatingStore } from "../inbox/rating-store.ts";
import { ThreadStore } from "../inbox/thread-store.ts";
import type { AccessPolicy } from "../policy/rules.ts";
import { policyOf } from "../policy/policy-section.ts";
import { createFakeSlack, newTs, type FakeSlack } from "./fake-slack.ts";
import { openVerificationDatabase } from "../database.ts";
import { actsIn, createTestInbox, openTestAudit } from "./test-inbox.ts";
import { wideLimits } from "./wide-limits.ts";
import { createScriptedZone } from "./scripted-zone.ts";

/** A clock whose pauses take a twentieth of their time. */
export const hurriedClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };

/** Allows only members of the team that installed the app. */
export const closedPolicy: AccessPolicy = policyOf({});

export const noFileHost: FileHost = {
  origin: "https://files.slack.com",
  get: async () => Promise.reject(new Error("no file host")),
};

const signingSecret = "a-signing-secret-for-tests-only!";

export type TestApp = Awaited<ReturnType<typeof launchTestApp>>;

export type TestAppOptions = Partial<Omit<VerificationDeps, "limits" | "policy">> & {
  readonly limits?: Partial<Limits>;
  readonly policy?: Partial<AccessPolicy>;
  readonly slack?: FakeSlack;
  readonly forwardedToken?: () => string;
};

/** Starts an app as `launchTestApp` does, until Slack has identified it. It closes after the test. */
export async function startTestApp(overrides?: TestAppOptions): Promise<TestApp> {
  const app = await launchTestApp(overrides);
  onTestFinished(() => app.close(0));
  await app.started;
  return app;
}

/** Starts the whole app behind a real HTTP server and real Bolt; the test scripts Slack's Web API and execution. */
export async function launchTestApp(overrides: TestAppOptions = {}) {
  const slack = overrides.slack ?? createFakeSlack();
  const forwarding = overrides.forwardedToken && { forwardedToken: overrides.forwardedToken };
  const zone = createScriptedZone();
  const logs: Record<string, unknown>[] = [];
  const commandReplies: { url: string; reply: string; below?: unknown }[] = [];
  const metrics = createMetrics();
  const database = await openVerificationDatabase({ url: "sqlite::memory:" });
  const deps: VerificationDeps = {
    intake: { mode: "http", signingSecret },
    zone: zone.zone,
    responseUrls: {
      answer: async (url, reply, { below } = {}) => void commandReplies.push({ url, reply, ...(below && { below }) }),
    },
    inbox: createTestInbox(database, { most: 100 }),
    threads: new ThreadStore(database),
    ratings: new RatingStore(database, createRecordCodec(undefined)),
    handles: createHandles(database, { now: Date.now, ttlMs: 60_000 }),
    clock: systemClock,
    appId: "A1",
    logger: loggerInto(logs),
    metrics,
    audit: await openTestAudit(database),
    health: createHealth(),
    workspaces: { mode: "single", link: { slack, fileHost: noFileHost, ...forwarding } },
    ...overrides,
    policy: { current: () => ({ ...closedPolicy, ...overrides.policy }) },
    limits: { ...wideLimits, ...overrides.limits },
  };
  const app = new VerificationApp(deps);
  const server = createHttpServer(app.listener, { onBadRequest: app.badRequest });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  const started = app.start();
  return {
    url,
    slack,
    zone,
    logs,
    deps,
    /** The answers to slash commands, with their URLs. */
    commandReplies,
    /** Resolves when Slack has identified the app. */
    started,
    /** Sends an event as Slack does; resolves with the response's status. */
    deliver: (event: Record<string, unknown>, envelope?: Record<string, unknown>) =>
      deliver(url, { event, ...envelope }),
    /** Returns the lines of the log with this event. */
    logged: (name: VerificationEvent) => logs.filter(({ event }) => event === name),
    /** Delivers events one after the other; resolves with their verdicts. */
    say: async (...events: MessageEvent[]): Promise<unknown[]> => {
      const verdicts = (): unknown[] => logs.flatMap(({ verdict }) => (verdict === undefined ? [] : [verdict]));
      const before = verdicts().length;
      for (const event of events) expect(await deliver(url, { event })).toBe(200);
      return verdicts().slice(before);
    },
    /** Returns the texts that execution was asked. */
    asked: (): unknown[] => zone.params("execute_task").map(({ text }) => text),
    /** Resolves when nothing waits or is in work. */
    idle: () => until(async () => expect(await deps.inbox.load()).toMatchObject({ waiting: 0, inWork: 0 })),
    /** Asks a question that runs until execution says otherwise. */
    startSlow: async (question: MessageEvent): Promise<void> => {
      zone.on("execute_task", () => ({ status: "accepted", task_id: "task-12345678" }));
      expect(await deliver(url, { event: question })).toBe(200);
      await until(() => expect(zone.of("get_async_task_result").length).toBeGreaterThan(0));
    },
    /** Returns the acts in the audit log, oldest first. */
    acts: () => actsIn(database),
    metrics: async () => (await metrics.render()).body,
    close: async (graceMs = 2_000) => {
      await close(server, { deadlineMs: 1_000 });
      await app.stop(graceMs);
      await database.close();
    },
  };
}

/** Makes a logger that adds its lines to a list. */
export function loggerInto(logs: Record<string, unknown>[]): VerificationDeps["logger"] {
  return createLogger({
    zone: "verification",
    level: "debug",
    events: verificationEvents,
    destination: { write: (line) => void logs.push(JSON.parse(line) as Record<string, unknown>) },
  });
}

async function deliver(url: string, members: Record<string, unknown>): Promise<number> {
  const body = JSON.stringify({
    type: "event_callback",
    event_id: `Ev${randomUUID()}`,
    api_app_id: "A1",
    team_id: "T1",
    authorizations: [{ team_id: "T1" }],
    ...members,
  });
  const response = await fetch(`${url}/slack/events`, { method: "POST", headers: signed(body), body });
  return response.status;
}

/** Returns Slack's headers for a body. https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function signed(
  body: string,
  {
    secret = signingSecret,
    timestamp = Math.floor(Date.now() / 1_000),
  }: { secret?: string; timestamp?: number | string } = {},
): Record<string, string> {
  const signature = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  return {
    "content-type": "application/json",
    "x-slack-request-timestamp": String(timestamp),
    "x-slack-signature": `v0=${signature}`,
  };
}

export type MessageEvent = Record<string, unknown> & { ts: string };

/** Waits until a check passes. */
export const until = (check: () => unknown): Promise<void> => vi.waitFor(check, { interval: 20 }) as Promise<void>;

/** Returns a person's message in a channel. */
export const channelMessage = (text: string, more: Record<string, unknown> = {}): MessageEvent =>
  directMessage(text, { channel: "C1", channel_type: "channel", ...more });

/** Returns a person's direct message. */
export function directMessage(text: string, more: Record<string, unknown> = {}): MessageEvent {
  return { type: "message", channel: "D1", channel_type: "im", user: "U1", ts: newTs(), text, ...more };
}

/** Returns a mention of the app in a channel, and a reply in a message's thread. */
export const mention = (text: string, more = {}): MessageEvent =>
  channelMessage(`<@UBOT> ${text}`, { type: "app_mention", ...more });
export const replyTo = (text: string, { ts: thread_ts }: MessageEvent, more = {}): MessageEvent =>
  channelMessage(text, { thread_ts, ...more });

/** Returns the event of a changed message. */
export const changed = (before: MessageEvent, after: object): MessageEvent => ({
  ...directMessage("", { subtype: "message_changed", hidden: true, channel: before["channel"] }),
  channel_type: before["channel_type"],
  message: { ...before, ...after },
  previous_message: { ...before, type: "message" },
});
/** Returns the event of a message that its author, or `by`, has edited. */
export const edited = (before: MessageEvent, text: string, { at = "2000.1", by = before["user"] } = {}): MessageEvent =>
  changed(before, { type: "message", text, edited: { user: by, ts: at } });
