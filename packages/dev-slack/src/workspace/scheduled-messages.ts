import { newSlackId } from "./slack-id.ts";

/** A message that is posted later. */
export interface ScheduledMessage {
  id: string;
  channel: string;
  /** Unix seconds. */
  post_at: number;
  date_created: number;
  text: string;
}

/** Messages that wait for their time. */
export interface ScheduleStore {
  /** Calls `post` once it is time, unless the message is canceled before. */
  add(message: Omit<ScheduledMessage, "id">, post: () => void): ScheduledMessage;
  /** Those that wait, the first to be posted first. */
  waiting(): ScheduledMessage[];
  cancel(id: string): void;
  /** Ends all timers. */
  close(): void;
}

/** The longest time that a timer of Node takes, milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A schedule in memory. It keeps no process alive. */
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
