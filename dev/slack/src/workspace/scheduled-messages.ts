import { newSlackId } from "./slack-clock.ts";

/** A message to post later. */
export interface ScheduledMessage {
  id: string;
  channel: string;
  /** Unix seconds. */
  post_at: number;
  date_created: number;
  text: string;
}

/** Stores scheduled messages. */
export interface ScheduleStore {
  /** Calls `post` at the scheduled time, unless the message is canceled before. */
  add(message: Omit<ScheduledMessage, "id">, post: () => void): ScheduledMessage;
  /** Returns the scheduled messages in the order of their times. */
  waiting(): ScheduledMessage[];
  cancel(id: string): void;
  /** Cancels all timers. */
  close(): void;
}

/** The maximum delay of a timer in Node, milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Makes an in-memory store. It does not keep the process alive. */
export function createScheduleStore(now: () => number = Date.now): ScheduleStore {
  const waiting = new Map<string, { message: ScheduledMessage; timer: NodeJS.Timeout }>();

  function wait(message: ScheduledMessage, post: () => void): void {
    const left = message.post_at * 1000 - now();
    const due = (): void => {
      waiting.delete(message.id);
      if (left > LONGEST_TIMER) wait(message, post);
      else post();
    };
    const timer = setTimeout(due, Math.min(Math.max(left, 0), LONGEST_TIMER)).unref();
    waiting.set(message.id, { message, timer });
  }

  const store: ScheduleStore = {
    add: (draft, post) => {
      const message = { ...draft, id: newSlackId("Q") };
      wait(message, post);
      return message;
    },
    waiting: () => [...waiting.values()].map(({ message }) => message).toSorted((a, b) => a.post_at - b.post_at),
    cancel: (id) => {
      clearTimeout(waiting.get(id)?.timer);
      waiting.delete(id);
    },
    close: () => {
      for (const id of waiting.keys()) store.cancel(id);
    },
  };
  return store;
}
