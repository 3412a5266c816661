import { DatabaseSync } from "node:sqlite";
import type { Message } from "@crosszone/dev-slack";
import { agenda } from "../time/virtual-time.ts";

/** When Slack showed an answer, Unix milliseconds. */
export interface Shown {
  readonly firstAt: number;
  lastAt: number;
}

/** Watches the app's messages while they are written. */
export interface AnswerWatch {
  /** A message was posted or changed. */
  readonly changed: (message: Message) => void;
  /** By request. */
  readonly shown: ReadonlyMap<string, Shown>;
  /** What was wrong with what was written. */
  readonly problems: readonly string[];
  /** Whether a question is not done: one that a stopping process handed back may wait for some seconds. */
  readonly hasOpen: () => boolean;
  readonly close: () => void;
}

/**
 * An answer must be stored before Slack shows it, and must never become another one: a process that dies in between would post it again, or
 * post a different one. `database` is the path of verification's.
 */
export function watchAnswers(database: string): AnswerWatch {
  const file = new DatabaseSync(database, { readOnly: true });
  const find = file.prepare("select answer is not null as is_stored from job where id = ?");
  const findOpen = file.prepare("select 1 from job where state < 4 limit 1");
  const shown = new Map<string, Shown>();
  const finals = new Map<string, string>();
  const problems: string[] = [];

  function judgeFinal(request: string, { ts, text, metadata }: Message): void {
    if (find.get(request)?.["is_stored"] === 0) problems.push(`answer ${ts} is shown before it is stored`);
    const part = JSON.stringify([request, metadata?.event_payload["part"] ?? 1]);
    const before = finals.get(part);
    if (before !== undefined && before !== text) problems.push(`answer ${ts} was another one before`);
    finals.set(part, text);
  }

  return {
    changed: (message) => {
      const { request_id: request, state } = message.metadata?.event_payload ?? {};
      if (typeof request !== "string") return;
      const now = agenda.now();
      shown.getOrInsertComputed(request, () => ({ firstAt: now, lastAt: now })).lastAt = now;
      if (state === "done") judgeFinal(request, message);
    },
    shown,
    problems,
    hasOpen: () => findOpen.get() !== undefined,
    close: () => file.close(),
  };
}
