import { setTimeout as wait } from "node:timers/promises";
import type { Delivery } from "../protocol/faults.ts";
import type { NewTrafficEntry } from "../traffic/traffic-log.ts";
import {
  appMentionEvent,
  type AttemptOutcome,
  type EventEnvelope,
  type EventTransport,
  messageChangedEvent,
  messageDeletedEvent,
  messageEvent,
  reactionEvent,
  type RetryReason,
  type SlackEvent,
  wrapEvent,
} from "./event-envelope.ts";
import type { Message } from "../protocol/workspace.ts";
import type { NewMessage } from "../workspace/message-store.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";

/** An event that the app has not accepted yet. */
interface PendingEvent {
  envelope: EventEnvelope;
  settings: Delivery;
  retryNum: number;
  /** Why the previous attempt failed. */
  reason: RetryReason | undefined;
}

/** Delivers events in the background. */
export interface EventDispatcher {
  /** Starts the delivery of an event and returns at once. */
  deliver(envelope: EventEnvelope): void;
  setDelivery(changes: Partial<Delivery>): Delivery;
  /** Resolves when every event was accepted, abandoned, or undeliverable; waits for scheduled retries. */
  idle(): Promise<void>;
  /** Ends current and scheduled deliveries. */
  close(): Promise<void>;
}

/** Options of the dispatcher. */
export interface EventDispatcherOptions {
  /** Returns the current transport to the app; undefined if an attempt fails, or why the event is lost. */
  transport: () => EventTransport | undefined | string;
  /** Pauses before each retry, milliseconds. */
  retryScheduleMs: readonly number[];
  record: (entry: NewTrafficEntry) => void;
  /** The events under way; those of an earlier start are delivered as well. */
  pending: Map<string, PendingEvent>;
}

/** Makes a dispatcher. Deliveries are independent: a slow or failing event does not delay others. */
export function createEventDispatcher(options: EventDispatcherOptions): EventDispatcher {
  const { pending } = options;
  const delivery: Delivery = { copies: 1, delay_ms: 0, drop_first: false };
  const underWay = new Set<Promise<void>>();
  const stop = new AbortController();

  async function deliver(id: string, event: PendingEvent): Promise<void> {
    try {
      for await (const next of attempts(event, options, stop.signal)) pending.set(id, next);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
    if (!stop.signal.aborted) pending.delete(id);
  }

  function start(id: string, event: PendingEvent): void {
    pending.set(id, event);
    const run = deliver(id, event).finally(() => underWay.delete(run));
    underWay.add(run);
  }

  for (const [id, event] of pending) start(id, event);

  return {
    deliver: (envelope) => {
      const settings = { ...delivery };
      for (let copy = 0; copy < settings.copies; copy++)
        start(`${envelope.event_id} ${copy}`, { envelope, settings, retryNum: 0, reason: undefined });
    },
    setDelivery: (changes) => ({ ...Object.assign(delivery, changes) }),
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: async () => {
      stop.abort();
      await Promise.all(underWay);
    },
  };
}

/** Attempts the delivery until the app has accepted the event or no retry is left. Yields the event before each further attempt. */
async function* attempts(
  { envelope, settings, ...first }: PendingEvent,
  { transport, retryScheduleMs, record }: EventDispatcherOptions,
  signal: AbortSignal,
): AsyncGenerator<PendingEvent> {
  const { delay_ms, drop_first } = settings;
  let { reason } = first;
  for (let { retryNum } = first; retryNum <= retryScheduleMs.length; retryNum++) {
    if (retryNum > first.retryNum) yield { envelope, settings, retryNum, reason };
    const pause = delay_ms + (retryNum === first.retryNum ? 0 : (retryScheduleMs[retryNum - 1] ?? 0));
    if (pause > 0) await wait(pause, undefined, { signal });
    const carry = transport();
    if (carry === undefined || (retryNum === 0 && drop_first)) {
      reason = "connection_failed";
      record(unsent(envelope, `attempt ${retryNum + 1} is dropped`));
      continue;
    }
    if (typeof carry === "string") {
      record(unsent(envelope, carry));
      return;
    }
    const at = Date.now();
    const attempt = { envelope, retryNum, ...(retryNum > 0 && reason && { retryReason: reason }) };
    const outcome = await carry(attempt, signal);
    if (signal.aborted) return;
    const prefix = retryNum === 0 ? "" : `retry ${retryNum} after ${reason}: `;
    const { status, request, response } = outcome;
    const verdict = prefix + verdictOf(outcome);
    record({ ...eventEntry(envelope), at, status, ms: Date.now() - at, verdict, request, response });
    if (outcome.accepted || outcome.noRetry) return;
    reason = outcome.reason;
  }
}

const eventEntry = ({ event }: EventEnvelope) => ({ at: Date.now(), kind: "event", name: event.type }) as const;

function unsent(envelope: EventEnvelope, why: string): NewTrafficEntry {
  const verdict = `not sent: ${why}`;
  return { ...eventEntry(envelope), status: 0, ms: 0, verdict, request: { body: envelope }, response: null };
}

function verdictOf({ accepted, noRetry, status, reason }: AttemptOutcome): string {
  if (accepted) return "accepted";
  if (status === 0) return `no answer: ${reason}`;
  return noRetry ? `refused: ${status}, no retry wanted` : `refused: ${status}`;
}

/** Changes messages and notifies the app, as Slack does: with asynchronous events, only from channels of which its bot is a member. */
export interface EventPublisher {
  post(message: NewMessage): Message;
  change(message: Message): void;
  remove(message: Message): void;
  /** Adds a reaction, without colons, to a message, or removes the user's own; returns the message. */
  react(reaction: { message: Message; user: string; reaction: string }): Message;
  /** Sends any other event to the app, unconditionally. `overrides` replace members of the envelope. */
  send(event: SlackEvent, overrides?: Partial<EventEnvelope>): void;
}

/** Makes a publisher. `deliver` must accept an envelope and return at once. */
export function createEventPublisher(
  state: WorkspaceState,
  deliver: (envelope: EventEnvelope) => void,
): EventPublisher {
  const { app } = state.directory.workspace;
  const { atomically } = state.storage;
  const send = (event: SlackEvent, overrides?: Partial<EventEnvelope>): void => {
    deliver({ ...wrapEvent(event, state), ...overrides });
  };
  const seenByBot = ({ channel, ephemeral_for }: Message): boolean =>
    ephemeral_for === undefined && state.directory.channel(channel)?.members.includes(app.bot_user_id) === true;

  return {
    send,
    post: (draft) =>
      atomically(() => {
        const message = state.messages.add(draft);
        if (!seenByBot(message)) return message;
        send(messageEvent(message, state));
        if (mentionsApp(message)) send(appMentionEvent(message, state));
        return message;
      }),
    change: (message) =>
      atomically(() => {
        const previous = state.messages.replace(message);
        if (!previous || !seenByBot(message)) return;
        send(messageChangedEvent(message, previous, state));
        const isEdited = message.edited !== undefined && message.edited.ts !== previous.edited?.ts;
        if (isEdited && mentionsApp(message)) send(appMentionEvent(message, state));
      }),
    remove: (message) =>
      atomically(() => {
        for (const { previous, tombstone } of state.messages.remove(message.channel, message.ts))
          if (seenByBot(previous))
            send(tombstone ? messageChangedEvent(tombstone, previous, state) : messageDeletedEvent(previous, state));
      }),
    react: ({ message, user, reaction }) =>
      atomically(() => {
        const all = message.reactions ?? [];
        const { users: before = [] } = all.find(({ name }) => name === reaction) ?? {};
        const isNew = !before.includes(user);
        const users = isNew ? [...before, user] : before.filter((one) => one !== user);
        const own = { name: reaction, users, count: users.length };
        const others = before.length > 0 ? all.map((one) => (one.name === reaction ? own : one)) : [...all, own];
        const changed = { ...message, reactions: others.filter(({ count }) => count > 0) };
        state.messages.replace(changed);
        const type = isNew ? "reaction_added" : "reaction_removed";
        if (seenByBot(message)) send(reactionEvent(type, { message, user, reaction }, state));
        return changed;
      }),
  };

  /** In a direct message, a mention does not cause a second event. */
  function mentionsApp({ channel, text, user }: Message): boolean {
    const isDirect = state.directory.channel(channel)?.kind === "im";
    return !isDirect && user !== app.bot_user_id && text.includes(`<@${app.bot_user_id}>`);
  }
}
