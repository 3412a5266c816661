import { createRecordCodec } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import type { Clock } from "@crosszone/service-kit/timing";
import { createStreamPace } from "../showing/streams/streams.ts";
import { Pressers } from "../cards/press-flow.ts";
import { QuestionTasks } from "../inbox/running-tasks.ts";
import { createWorkers } from "../zone/flows.ts";
import { createZoneLink } from "../link/zone-link.ts";
import type { VerificationDatabase } from "../database.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { Question } from "../inbox/records.ts";
import { RatingStore } from "../inbox/rating-store.ts";
import { ThreadStore } from "../inbox/thread-store.ts";
import type { Limits } from "../limits.ts";
import type { Judgment } from "../policy/policies.ts";
import { createSlackDirectory } from "../policy/slack-directory.ts";
import { createFakeSlack, identity, newTs } from "./fake-slack.ts";
import { createScriptedZone } from "./scripted-zone.ts";
import { closedPolicy, noFileHost } from "./start-test-app.ts";
import { wideLimits } from "./wide-limits.ts";
import { createTestInbox, questionRecord } from "./test-inbox.ts";
import { type WorkspaceContext, createSessionStatus } from "../workspaces/workspaces.ts";

const limits: Limits = {
  ...wideLimits,
  EXECUTION_RETRY_BUDGET_MS: 30_000,
  ANSWER_DEADLINE: 600_000,
  DELIVERY_BUDGET_MS: 60_000,
};

const allowed: Judgment = { verdicts: [], durationMs: 0 };

export type WorkingZone = ReturnType<typeof createWorkingZone>;

/** Makes the workers of a zone on a database. Answers are streamed with `streams`, and work is shown after `showAfterMs`. */
export function createWorkingZone(database: VerificationDatabase, { streams = false, showAfterMs = 0 } = {}) {
  const slack = createFakeSlack();
  const zone = createScriptedZone();
  const inbox = createTestInbox(database);
  const judge = async (): Promise<Judgment> => allowed;

  return {
    slack,
    zone,
    inbox,
    /** Stores the question of a new thread, which Slack has too. */
    ask: async (more?: Partial<Question>): Promise<Question> => {
      const ts = newTs();
      const record = questionRecord({ ts, thread_ts: ts, ...more });
      slack.say({ ts, text: record.text });
      await inbox.accept(record);
      return record;
    },
    /** Lets the workers work until no record is left. */
    live: async (): Promise<void> => {
      const own = createTestInbox(database);
      const clock = createVirtualClock();
      const emit = (): void => undefined;
      const context: WorkspaceContext = {
        policy: { current: () => closedPolicy },
        limits: { ...limits, SHOW_WORK_AFTER_MS: showAfterMs },
        clock,
        emit,
        identity,
        appId: async () => undefined,
        slack,
        directory: createSlackDirectory({ slack, identity, now: clock.now, timeoutMs: 1_000 }),
        fileHost: noFileHost,
        tokens: { issue: async ({ request_id }) => `czh_${request_id}`, keep: nothing, revoke: nothing },
        session: createSessionStatus(slack, () => undefined),
        policies: { atIntake: judge, inFlow: judge, onRetry: judge, ofFiles: judge, ofCommand: judge },
      };
      const workers = createWorkers({
        findWorkspace: async () => context,
        allWorkspaces: async () => [context],
        inbox: own,
        threads: new ThreadStore(database),
        ratings: new RatingStore(database, createRecordCodec(undefined)),
        link: createZoneLink(zone.zone, { limits, clock }),
        running: new QuestionTasks(),
        pressers: new Pressers({ answer: nothing }, clock),
        streamPace: streams ? createStreamPace(database, clock.now) : undefined,
        emit,
        recordAct: nothing,
        tracer: createTracer(),
      });
      workers.start();
      await workedOff(inbox);
      await settled();
      clock.stop();
      await workers.stop(0);
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
