import { randomUUID } from "node:crypto";
import { createTracer } from "@crosszone/service-kit/tracing";
import type { Clock } from "@crosszone/service-kit/timing";
import { StreamPace } from "../answering/streams/stream-pace.ts";
import { Pressers } from "../answering/presses/pressers.ts";
import { RunningTasks } from "../answering/tasks/running-tasks.ts";
import { startWorkers } from "../answering/workers.ts";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { Question } from "../inbox/records.ts";
import { ThreadStore } from "../inbox/thread-store.ts";
import type { Limits } from "../limits.ts";
import type { Judgment } from "../policy/policies.ts";
import { createSlackDirectory } from "../policy/slack-directory.ts";
import { createFakeSlack, identity, newTs, type FakeSlack } from "./fake-slack.ts";
import { createScriptedZone, type ScriptedZone } from "./scripted-zone.ts";
import { closedPolicy, noFileHost } from "./start-test-app.ts";
import { wideLimits } from "./wide-limits.ts";
import { createTestInbox, questionRecord } from "./test-inbox.ts";
import { SessionStatus } from "../workspaces/session-status.ts";
import type { WorkspaceContext } from "../workspaces/workspace-context.ts";

/** Slack, execution, and the inbox's records, with the workers of verification between them. */
export interface WorkingZone {
  readonly slack: FakeSlack;
  readonly zone: ScriptedZone;
  readonly inbox: Inbox;
  /** Stores the question of a new thread, which Slack has too. */
  readonly ask: (more?: Partial<Question>) => Promise<Question>;
  /** Lets the workers work until no record is left. */
  readonly live: () => Promise<void>;
}

const limits: Limits = {
  ...wideLimits,
  EXECUTION_RETRY_BUDGET_MS: 30_000,
  ANSWER_DEADLINE: 600_000,
  DELIVERY_BUDGET_MS: 60_000,
};

const allowed: Judgment = { verdicts: [], durationMs: 0 };

/** Makes the workers of a zone on a database. Answers are streamed with `streams`, and work is shown after `showAfterMs`. */
export function createWorkingZone(
  database: VerificationDatabase,
  { streams = false, showAfterMs = 0 } = {},
): WorkingZone {
  const slack = createFakeSlack();
  const zone = createScriptedZone();
  const inbox = createTestInbox(database);
  const judge = async (): Promise<Judgment> => allowed;

  return {
    slack,
    zone,
    inbox,
    ask: async (more) => {
      const ts = newTs();
      const record = questionRecord({ ts, thread_ts: ts, ...more });
      slack.say({ ts, text: record.text });
      await inbox.accept(record);
      return record;
    },
    live: async () => {
      const own = createTestInbox(database);
      const clock = createVirtualClock();
      const context: WorkspaceContext = {
        identity,
        appId: async () => undefined,
        slack,
        directory: createSlackDirectory({ slack, identity, now: clock.now, timeoutMs: 1_000 }),
        fileHost: noFileHost,
        tokens: { issue: async ({ request_id }) => `czh_${request_id}`, revoke: nothing },
        session: new SessionStatus(slack, () => undefined),
        policies: { atIntake: judge, inFlow: judge, onRetry: judge, ofFiles: judge, ofCommand: judge },
      };
      const workers = startWorkers({
        inbox: own,
        threads: new ThreadStore(database),
        ratings: { put: async () => true },
        clock,
        newId: randomUUID,
        streamPace: streams ? new StreamPace(database, clock.now) : undefined,
        policy: { current: () => closedPolicy, close: () => undefined },
        limits: { ...limits, SHOW_WORK_AFTER_MS: showAfterMs },
        concurrency: 10,
        workspaces: { find: async () => context, all: async () => [context] },
        zone: zone.zone,
        running: new RunningTasks(),
        pressers: new Pressers({ answer: nothing }, clock),
        emit: () => undefined,
        recordAct: nothing,
        tracer: createTracer(),
        reasonOf: () => "internal",
      });
      await workedOff(inbox);
      await settled();
      clock.stop();
      await workers.stop(0);
      await own.close();
    },
  };
}

async function workedOff(inbox: Inbox): Promise<void> {
  for (;;) {
    await settled();
    const { waiting, inWork } = await inbox.load();
    if (waiting + inWork === 0) return;
  }
}

/** Lets the event loop turn. */
export async function settled(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const nothing = async (): Promise<void> => undefined;

/** Makes a clock whose time passes only when everything is idle: the next sleeper then wakes. Once stopped, no sleep ends. */
export function createVirtualClock(): Clock & { readonly stop: () => void } {
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  let now = 0;
  let turning = false;
  let stopped = false;

  function turn(): void {
    const next = [...sleepers].toSorted((a, b) => a.until - b.until)[0];
    turning = next !== undefined;
    if (next === undefined) return;
    now = Math.max(now, next.until);
    sleepers.delete(next);
    next.wake();
    setImmediate(turn);
  }

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        if (stopped) return;
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason as Error);
        });
        if (!turning) setImmediate(turn);
        turning = true;
      }),
    stop: () => {
      stopped = true;
      sleepers.clear();
    },
  };
}
