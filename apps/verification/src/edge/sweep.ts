import type { Emit } from "@crosszone/service-kit";
import { atMost, type Clock } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import {
  createHistoryReader,
  lookBackMs,
  msOf,
  type Raw,
  type SweepDeps,
  type SweepParts,
} from "../asking/read-history.ts";
import { createStoreRetry } from "../inbox/record-ends.ts";
import { isMessageClaim } from "../inbox/records.ts";
import type { LeasedSweep } from "../inbox/sweep-store.ts";
import { tellOperators } from "../showing/workplace.ts";
import { timeMrkdwn } from "../slack/notation.ts";
import { conversationTypes, type SlackConversation } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import type { WorkspaceContext, Workspaces } from "../workspaces/workspaces.ts";
import { createEventIntake, type IntakeResult } from "./event-intake.ts";
import { readEnvelope } from "./slack-event.ts";

const dayMs = 86_400_000;

/** A lost socket is noticed late, and Slack's clock can differ. */
const overlapMs = 120_000;

/** Questions that may wait in the inbox while a sweep adds more: new ones must not wait behind all of them. */
const mostWaiting = 20;

/** Thrown when another process has the sweep. */
class SweepLostError extends Error {
  override readonly name = "SweepLostError";
}

/**
 * Reads what was written in a workspace since `leased.since`, as if its events came now, and what became of the messages of open questions. What is
 * too old or too much to answer is listed as missed. Continues an earlier attempt: each conversation is read once. Rejects if Slack or the
 * database is unavailable, or with a `SweepLostError`.
 */
async function sweep(deps: SweepDeps, leased: LeasedSweep): Promise<void> {
  const { workspace, store, inbox } = deps;
  const { clock, limits, emit } = workspace;
  const { team_id, began_at, since } = leased;
  const reader = createHistoryReader(deps);
  await judgeChanges(deps, reader);
  const [known, threads] = [await store.channels(team_id), await store.threads(team_id, since - lookBackMs)];
  let [asked, refused] = [leased.asked, 0];
  const all: SlackConversation[] = [];
  for (const type of conversationTypes)
    await orRefused(type, async () => all.push(...(await reader.conversations(type))));
  const latest = new Map(threads.toReversed().map(({ channel }, at) => [channel, at]));
  // Those that an earlier attempt did not reach come first, then those with the latest answers.
  const isReached = ({ id }: SlackConversation): boolean => (known.get(id)?.read_to ?? 0) >= since;
  const rank = (one: SlackConversation): number => (isReached(one) ? -1e6 : 0) + (latest.get(one.id) ?? -1);
  const ordered = all.toSorted((one, other) => rank(other) - rank(one));
  for (const conversation of ordered.filter(({ id }) => known.get(id)?.read_to !== began_at))
    await orRefused(conversation.id, async () => {
      const { id } = conversation;
      const from = Math.max(since, known.get(id)?.read_to ?? 0) - overlapMs;
      const old = threads.filter(({ channel }) => channel === id).map(({ thread_ts }) => thread_ts);
      await judgeAll(conversation, await reader.read(conversation, from, old));
      await store.read(leased, { channel: id, asked });
    });
  const missed = await tellMissed(deps, leased);
  await store.end(leased);
  emit("history_swept", { team_id, since: new Date(since).toISOString(), asked, missed, refused });

  /** Notes what Slack refuses to show, and goes on. */
  async function orRefused(channel: string, read: () => Promise<unknown>): Promise<void> {
    try {
      await read();
    } catch (failure) {
      if (!(failure instanceof SlackCallError) || failure.failure !== "refused") throw failure;
      refused += 1;
      if (known.get(channel)?.refused !== failure.code)
        emit("history_refused", { team_id, channel, operation: failure.method, failure });
      await store.read(leased, { channel, asked, refused: failure.code });
    }
  }

  async function judgeAll(conversation: SlackConversation, found: readonly Raw[]): Promise<void> {
    const excess = found.length - Math.max(0, limits.MAX_SWEPT - asked);
    for (const [at, event] of found.entries()) {
      if (!(await store.isMine(leased))) throw new SweepLostError("another process sweeps the workspace");
      const isOld = clock.now() - msOf(event["ts"]) > dayMs;
      const tooMany = at < excess ? `More than ${limits.MAX_SWEPT} messages were found at once.` : undefined;
      const reason = isOld ? "It was found more than a day after it was written." : tooMany;
      const { verdict, record } = await judgeFound(deps, conversation, { event, missed: reason });
      if (verdict !== "accepted" || (record?.kind !== "ask" && record?.kind !== "missed")) continue;
      emit("message_swept", { outcome: record.kind === "ask" ? "asked" : "missed", channel: conversation.id });
      if (record.kind === "missed") continue;
      asked += 1;
      await clock.sleep(limits.SWEEP_PACE_MS, deps.signal);
      while ((await inbox.load()).waiting >= mostWaiting) await clock.sleep(500, deps.signal);
    }
  }
}

/** Judges a message that was found, as its event would be. With a `missed` reason, its question is not answered, but listed with it. */
function judgeFound(
  { workspace, inbox, threads, signal }: SweepDeps,
  { id: channel, type }: SlackConversation,
  { event, missed }: { readonly event: Raw; readonly missed?: string | undefined },
): Promise<IntakeResult> {
  signal.throwIfAborted();
  const { team_id, org_id } = workspace.identity;
  const authorizations = [{ team_id, enterprise_id: org_id, is_enterprise_install: org_id !== undefined }];
  const placed = { ...event, type: "message", channel, channel_type: type === "im" ? "im" : "channel" };
  const envelope = readEnvelope({ type: "event_callback", team_id, authorizations, event: placed });
  if (envelope === undefined) throw new Error("a message of history is no event");
  const reception = { retryStore: createStoreRetry(10_000), found: { missed } };
  return createEventIntake(inbox, threads)(workspace, envelope, reception);
}

/** Judges the messages of open questions that were deleted or edited, as the events of that would be. Those of tasks that wait keep their words. */
async function judgeChanges(deps: SweepDeps, reader: ReturnType<typeof createHistoryReader>): Promise<void> {
  const { now, openQuestions } = reader;
  const { workspace, store } = deps;
  const { team_id } = workspace.identity;
  const asked = (await openQuestions()).flatMap(({ claims, channel, thread_ts, user_id, team_id: team }) => {
    const ts = claims.find(isMessageClaim)?.split(" ").at(-1);
    return ts === undefined || team !== team_id ? [] : [{ channel, thread_ts, user_id, ts, isQuestion: true }];
  });
  const waiting = (await store.waiting(team_id)).map((one) => ({ ...one, isQuestion: false }));
  for (const { channel, ts, thread_ts, user_id: user, isQuestion } of [...asked, ...waiting]) {
    const message = await now({ channel, ts, thread_ts });
    if (message === "hidden" || (message !== undefined && (!isQuestion || message["edited"] === undefined))) continue;
    const previous_message = { user, ts, thread_ts: thread_ts === ts ? undefined : thread_ts, text: "" };
    const event =
      message === undefined
        ? { subtype: "message_deleted", hidden: true, deleted_ts: ts, previous_message }
        : { subtype: "message_changed", hidden: true, message };
    await judgeFound(deps, { id: channel, type: channel.startsWith("D") ? "im" : "public_channel" }, { event });
  }
}

/** Tells the operators how many messages are listed as missed. Returns their number. */
async function tellMissed(deps: SweepDeps, { team_id, since }: LeasedSweep): Promise<number> {
  const { workspace, store, signal } = deps;
  let counted = await store.missed(team_id, since);
  for (let wait = 0; counted.left > 0 && wait < 60; wait += 1) {
    await workspace.clock.sleep(500, signal);
    counted = await store.missed(team_id, since);
  }
  const { missed } = counted;
  const what = missed === 1 ? "1 message for me has no answer" : `${missed} messages for me have no answer`;
  const how = "See them with `crosszone find --state missed`, or in the console: Find, with the state Missed.";
  const when = timeMrkdwn(new Date(since).toISOString());
  const text = `I was away since ${when}. ${what}, because I found them too late or too many at once. ${how}`;
  if (missed > 0) await tellOperators(deps, text, `missed ${team_id} ${since} ${missed}`);
  return missed;
}

/** Sweeps of workspaces at the same time in one process. */
const mostSweeps = 8;

/** Heartbeats that may be missing before a workspace counts as unheard. */
const mostMissing = 3;

/** When a sweep that failed is continued, and when what Slack may send again is looked for, milliseconds. */
const [failedMs, resentMs] = [30_000, 90_000];

export type Sweeper = ReturnType<typeof createSweeper>;

/**
 * Notes regularly that events arrive, and sweeps the workspaces that were not heard: after a start, a lost socket, or when the process or Slack
 * stood still. Several processes share the work; one sweeps a workspace at a time. It begins with `up`.
 */
export function createSweeper(
  deps: SweepParts & {
    readonly allWorkspaces: Workspaces["all"];
    readonly heartbeatMs: number;
    readonly clock: Clock;
    readonly emit: Emit<VerificationEvent>;
  },
) {
  const { store, allWorkspaces, heartbeatMs, clock, emit } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const sweeps = new Map<string, Promise<void>>();
  let running: Promise<void> | undefined;
  let isUp = false;
  /** How often events began to arrive. */
  let ups = 0;
  let gapMs = 0;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await beat().catch((failure: unknown) => emit("sweep_failed", { operation: "heartbeat", failure }));
      await clock.sleep(heartbeatMs, signal).catch(() => undefined);
    }
  }

  async function beat(): Promise<void> {
    const workspaces = new Map((await allWorkspaces()).map((one) => [one.identity.team_id, one]));
    const noted = ups;
    await store.beat(isUp ? [...workspaces.keys()] : [], gapMs);
    // What was lost meanwhile, the next heartbeat notes.
    if (!isUp || noted !== ups) return;
    gapMs = heartbeatMs * mostMissing;
    while (sweeps.size < mostSweeps && !signal.aborted) {
      const free = [...workspaces.keys()].filter((team) => !sweeps.has(team));
      const leased = free.length === 0 ? undefined : await store.lease(free);
      const workspace = workspaces.get(leased?.team_id ?? "");
      if (leased === undefined || workspace === undefined) return;
      const { team_id } = leased;
      sweeps.set(
        team_id,
        work(workspace, leased).finally(() => sweeps.delete(team_id)),
      );
    }
  }

  /** Never rejects. */
  async function work(workspace: WorkspaceContext, leased: LeasedSweep): Promise<void> {
    let againMs = 0;
    try {
      await sweep({ ...deps, workspace, signal }, leased);
    } catch (failure) {
      if (signal.aborted || failure instanceof SweepLostError) return;
      againMs = failedMs;
      emit("sweep_failed", { team_id: leased.team_id, operation: "sweep", failure });
    } finally {
      await store.release(leased, againMs).catch(() => undefined);
    }
  }

  return {
    /** Events arrive from now on. With the next heartbeat, what was written since the last one is read. */
    up: (): void => {
      [isUp, gapMs, ups] = [true, 0, ups + 1];
      running ??= run();
    },
    /** Events no longer arrive, until `up`. */
    down: (): void => {
      isUp = false;
    },
    /** Reads what was written since then, Unix milliseconds, once Slack has sent again what it does. Without a `team_id`, in each workspace. */
    lost: ({ team_id, since }: { readonly team_id?: string; readonly since: number }): void => {
      const noted = store.lost(team_id, { agoMs: Math.max(0, clock.now() - since), forMs: resentMs });
      noted.catch((failure: unknown) => emit("sweep_failed", { operation: "note_loss", failure }));
    },
    /** Leaves sweeps to the next process. */
    stop: async (graceMs: number): Promise<void> => {
      stopping.abort();
      await atMost(graceMs, Promise.all([running, ...sweeps.values()]), clock);
    },
  };
}
