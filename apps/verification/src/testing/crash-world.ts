import { closedPolicy, noFileHost } from "./start-test-app.ts";
import { randomUUID } from "node:crypto";
import { reapJobs } from "@crosszone/jobs";
import { createLogger, createMetrics } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { verificationEvents } from "@crosszone/telemetry";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { InboxRecord } from "../inbox/records.ts";
import { createObservers } from "../ops/observers/create-observers.ts";
import type { Judgment } from "../policy/pipeline.ts";
import type { WorkspaceContext } from "../workspaces/workspace-context.ts";
import { startWorkers, type WorkersDeps } from "../answering/workers.ts";
import { createRunningTasks } from "../answering/tasks/running-tasks.ts";
import { createSessionStatus } from "../workspaces/session-status.ts";
import { createSqlStreamPace } from "../answering/streams/sql-stream-pace.ts";
import type { TaskTokens } from "../zone-link/handles/handles.ts";
import { createTestInbox } from "./create-test-inbox.ts";
import { createFakeSlack, identity, type FakeSlack } from "./fake-slack.ts";
import { createLife, type Death, type Life } from "./mortal.ts";
import { createScriptedZone, type ScriptedZone } from "./scripted-zone.ts";
import { createVirtualClock } from "./virtual-clock.ts";

/** What survives a crash: Slack, execution, and the inbox's records. */
export interface CrashWorld {
  readonly slack: FakeSlack;
  readonly zone: ScriptedZone;
  readonly inbox: Inbox;
  /** People that the policy denies. */
  readonly denied: Set<string>;
  /** Handles that were issued and not revoked, by request id. */
  readonly handles: Map<string, number>;
  /** Starts a process and lets it work until it is idle or crashes; resolves with its effects. */
  readonly live: (death?: Death) => Promise<{ readonly effects: readonly string[]; readonly died: boolean }>;
}

const slackEffects: readonly (keyof FakeSlack)[] = [
  "post",
  "update",
  "replies",
  "upload",
  "tell",
  "setSessionStatus",
  "startStream",
  "appendStream",
  "stopStream",
];

const times = {
  callTimeoutMs: 5_000,
  retryBudgetMs: 30_000,
  pollWaitMs: 50,
  deadlineMs: 600_000,
  deliveryBudgetMs: 60_000,
};

const allowed: Judgment = { verdicts: [], durationMs: 0 };

/**
 * Makes a world in which processes of this zone run one after the other on one database, each until it crashes. Answers are streamed with
 * `streams`, and work is shown after `showAfterMs`.
 */
export function createCrashWorld(
  database: VerificationDatabase,
  { streams = false, showAfterMs = 0 } = {},
): CrashWorld {
  const slack = createFakeSlack();
  const zone = createScriptedZone();
  const denied = new Set<string>();
  const handles = new Map<string, number>();
  const inbox = createTestInbox(database);
  const tokens = countingTokens(handles);
  const judge = async ({ user_id }: Pick<InboxRecord, "user_id">): Promise<Judgment> =>
    denied.has(user_id) ? { ...allowed, denial: { reason: "guest" } } : allowed;

  return {
    slack,
    zone,
    inbox,
    denied,
    handles,
    live: async (death) => {
      const life = createLife({ death });
      const own = createTestInbox(database);
      const clock = createVirtualClock();
      const mySlack = life.with(slack, "slack", slackEffects);
      const context: WorkspaceContext = {
        identity,
        appId: async () => undefined,
        slack: mySlack,
        fileHost: noFileHost,
        tokens: life.with(tokens, "tokens", ["issue", "revoke"]),
        session: createSessionStatus(mySlack, () => undefined),
        policies: { atIntake: judge, inFlow: judge, onRetry: judge, ofFiles: judge, ofCommand: judge },
      };
      const workers = startWorkers({
        inbox: mortalInbox(life, own),
        threads: { join: nothing, has: async () => false },
        clock,
        newId: randomUUID,
        ...(streams && { streamPace: createSqlStreamPace(database, { now: clock.now }) }),
        policy: { current: () => closedPolicy },
        times: { ...times, showAfterMs },
        fileRules: { types: ["text/*"], maxBytes: 1_000_000 },
        concurrency: 10,
        workspaces: { find: async () => context },
        zone: life.with(zone.zone, "zone", ["call"]),
        running: createRunningTasks(),
        ...observers(),
      });
      const end = await Promise.race([life.died, workedOff(inbox)]);
      // Operations in progress at the crash take effect or not; then its lease expires.
      await settled();
      clock.stop();
      const stopped = workers.stop(0);
      if (end !== "died") await stopped;
      await own.close();
      await reapJobs(database);
      return { effects: life.effects, died: end === "died" };
    },
  };
}

/** Returns tokens that count the handles of each request. */
function countingTokens(handles: Map<string, number>): TaskTokens {
  return {
    issue: async ({ request_id }) => {
      handles.set(request_id, (handles.get(request_id) ?? 0) + 1);
      return `czh_${request_id}`;
    },
    revoke: async ({ request_id }) => void handles.delete(request_id),
  };
}

async function workedOff(inbox: Inbox): Promise<void> {
  for (;;) {
    await settled();
    const { waiting, inWork } = await inbox.load();
    if (waiting + inWork === 0) return;
  }
}

/** Returns the inbox of a process that can crash. Leasing jobs is not an effect, because repeating it changes nothing. */
function mortalInbox(life: Life, own: Inbox): Inbox {
  const effects = ["note", "complete", "accept", "stop", "standing", "isStopped", "retryLater"] as const;
  const mortal = life.with(own, "inbox", effects);
  const methods = Object.fromEntries(
    Object.keys(own).map((name) => [name, mortal[name as keyof Inbox]]),
  ) as never as Inbox;
  const dead = life.died.then(() => Promise.reject(new Error("the process died")));
  dead.catch(() => undefined);
  const jobs: Inbox["jobs"] = {
    waitingShares: (kind) => Promise.race([own.jobs.waitingShares(kind), dead]),
    take: (wanted) => Promise.race([own.jobs.take(wanted), dead]),
    lost: (leases) => Promise.race([own.jobs.lost(leases), dead]),
    leases: (kind) => Promise.race([own.jobs.leases(kind), dead]),
  };
  const { leaseMs } = own;
  return { ...methods, leaseMs, isLeaseOver: () => own.isLeaseOver(), read: (job) => own.read(job), jobs };
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

const nothing = async (): Promise<void> => undefined;

/** Returns observers that write nothing. */
function observers(): Pick<WorkersDeps, "observer" | "policyObserver" | "inboxObserver" | "reasonOf"> {
  const destination = { write: () => undefined };
  const logger = createLogger({ zone: "verification", level: "silent", events: verificationEvents, destination });
  const { answering, policy, inbox } = createObservers({
    logger,
    registry: createMetrics().registry,
    tracer: createTracer(),
    inbox: { load: async () => ({ waiting: 0, inWork: 0, parked: 0, oldestMs: 0 }) },
    running: { size: 0 },
  });
  return { observer: answering, policyObserver: policy, inboxObserver: inbox, reasonOf: () => "internal" };
}
