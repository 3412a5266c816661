import { DatabaseSync } from "node:sqlite";
import type { InputRequest } from "@crosszone/contracts";
import type { Message } from "@crosszone/dev-slack";
import { shownText } from "@crosszone/dev-slack/client";
import { asTasks, type Typed } from "../resist/judge/asks.ts";
import type { Judged } from "../resist/judge/messages.ts";
import type { StoreExpectations } from "../resist/judge/stores.ts";
import type { PlannedKind, PlannedMessage } from "../resist/plan/messages.ts";
import { ownMs } from "./plan-seed.ts";
import { type Life, agenda } from "./time/virtual-time.ts";
import type { SimulatedSlack } from "./world/slack.ts";

type Look = Pick<SimulatedSlack, "failedLookUps" | "acceptedAt">;

/**
 * Returns the messages whose verdict is wrong. A question may be refused if its author or channel could not be looked up. The app then does not enter
 * the thread, and may ignore replies in it.
 */
export function wrongOf(judged: readonly Judged[], { failedLookUps }: Pick<Look, "failedLookUps">): Judged[] {
  const refused = new Set(judged.filter(({ verdict }) => verdict === "refused").map(({ planned }) => planned.number));
  return judged.filter(({ verdict, planned: { follows } }) => {
    if (verdict === "refused") return failedLookUps() === 0;
    return verdict !== "answered" && !(verdict === "lost" && follows !== undefined && refused.has(follows));
  });
}

/** Kinds that need no task. The agent may not get one that is stopped early. */
const taskless: ReadonlySet<PlannedKind> = new Set(["list", "denied", "stopped"]);

/** Kinds whose task may end without success. */
const failing: ReadonlySet<PlannedKind> = new Set(["fails", "stopped", "asks", "left"]);

/** The least time after which execution may delete a task, milliseconds. */
const taskMs = 80_000_000;

const isLater = ({ later }: PlannedMessage): boolean => later !== undefined;
const isDeleted = ({ later }: PlannedMessage): boolean => later?.does === "deletes";

/** Returns what the databases may have after these messages. */
export function expectationOf(judged: readonly Judged[], typed: readonly Typed[]): StoreExpectations {
  // Tasks are deleted after a day, and what is listed as missed has none.
  const isTaskless = (one: Judged): boolean => one.answers.length === 0 || agenda.now() - writtenAt(one) > taskMs;
  const count = (is: (one: Judged) => boolean): number => judged.filter(is).length;
  return {
    messages: judged.length + asTasks(typed),
    // Of messages that change later, the tasks are deleted by then.
    refused:
      asTasks(typed) +
      count(
        (one) =>
          one.verdict !== "answered" || taskless.has(one.planned.kind) || isLater(one.planned) || isTaskless(one),
      ),
    failing: count(({ planned }) => failing.has(planned.kind) || isDeleted(planned)),
  };
}

/** Returns the threads in which the app still shows that it works. Slack refuses the status of a deleted thread. */
export function busyThreads(
  { agentView, failedStatuses }: Pick<SimulatedSlack, "agentView" | "failedStatuses">,
  judged: readonly Judged[],
): string[] {
  const gone = new Set(judged.filter(({ planned }) => isDeleted(planned)).map(({ message }) => message.ts));
  return agentView().threads.flatMap(({ channel, thread_ts, status }) =>
    status === "processing" && failedStatuses() === 0 && !gone.has(thread_ts) ? [`${channel} ${thread_ts}`] : [],
  );
}

/** Returns violations of the order: in a thread, an answer may begin only when the earlier ones are complete. */
export function disorderOf(
  judged: readonly Judged[],
  { acceptedAt }: Pick<Look, "acceptedAt">,
  shown: ReadonlyMap<string, Shown>,
): string[] {
  const answered = judged.flatMap(({ planned, message, answers }) => {
    const at = answers.length === 1 ? shown.get(answers[0]?.requestId ?? "") : undefined;
    const isLost = planned.delivery.copies === 0 && planned.later === undefined;
    return at === undefined ? [] : [{ number: planned.number, isLost, message, ...at }];
  });
  // What was found after an outage is answered in the order in which it was written.
  const comesBefore = (one: (typeof answered)[number], other: (typeof answered)[number]): boolean =>
    one.isLost && other.isLost
      ? writtenAt(one) < writtenAt(other)
      : (acceptedAt(one.message.ts) ?? Infinity) < writtenAt(other);
  return answered.flatMap((one) =>
    answered
      .filter((other) => threadOf(other) === threadOf(one) && comesBefore(one, other))
      .filter((other) => other.number !== one.number && other.firstAt < one.lastAt)
      .map((other) => `message ${other.number} was answered before message ${one.number}, which came before it`),
  );
}

/** Maximum delay of an answer in calm, milliseconds: enough for calls of Slack and one poll by another process. */
const promptMs = 500;

/** Returns late answers in calm, where a worker or task was not woken and only polled. */
export function latenessOf(
  judged: readonly Judged[],
  calm: readonly PlannedMessage[],
  shown: ReadonlyMap<string, Shown>,
): string[] {
  const lastAt = ({ answers }: Judged): number => shown.get(answers[0]?.requestId ?? "")?.lastAt ?? 0;
  return calm.flatMap((planned) => {
    const [one, before] = [planned.number, planned.follows].map((number) =>
      judged.find((of) => of.planned.number === number),
    );
    if (one === undefined) return [];
    const lateMs = lastAt(one) - Math.max(writtenAt(one), before ? lastAt(before) : 0) - ownMs(planned);
    return lateMs > promptMs
      ? [`message ${planned.number} was answered ${Math.round(lateMs)} ms after it could be`]
      : [];
  });
}

type Sent = Pick<Judged, "message">;

const threadOf = ({ message }: Sent): string => `${message.channel} ${message.thread_ts ?? message.ts}`;

/** Returns when the message was written, Unix milliseconds. */
const writtenAt = ({ message }: Sent): number => Math.floor(Number(message.ts) * 1_000);

/** When Slack showed an answer, Unix milliseconds. */
interface Shown {
  readonly firstAt: number;
  lastAt: number;
}

/**
 * Watches that each answer is stored before Slack shows it, and never changes: a process that dies in between would post it again, or post a
 * different one. `urls` are those of the databases.
 */
export function watchAnswers(urls: Readonly<Record<Life["zone"], string>>) {
  const open = (zone: Life["zone"]): DatabaseSync =>
    new DatabaseSync(urls[zone].slice("sqlite:".length), { readOnly: true });
  const [file, tasks] = [open("verification"), open("execution")];
  const find = file.prepare(
    "select answer is not null as is_stored from job where id = ? and kind in ('ask', 'paused_task')",
  );
  const findOpen = [file, tasks].map((one) =>
    one.prepare("select 1 from job where state < 4 and kind <> 'failed_run' limit 1"),
  );
  const missed = file.prepare("select 1 from message where channel = ? and ts = ? and state = 'missed'");
  const shown = new Map<string, Shown>();
  const finals = new Map<string, string>();
  const problems: string[] = [];
  const inputs = new Map<string, InputRequest>();
  const findInputs = tasks.prepare("select record from input_request");
  const readInputs = (): readonly InputRequest[] => {
    for (const { record } of findInputs.all()) {
      const { request } = JSON.parse(String(record)) as { readonly request: InputRequest };
      inputs.set(request.request_id, request);
    }
    return [...inputs.values()];
  };

  function judgeFinal(request: string, message: Message): void {
    const { ts, metadata } = message;
    const text = shownText(message).trim();
    if (find.get(request)?.["is_stored"] === 0) problems.push(`answer ${ts} is shown before it is stored`);
    const part = JSON.stringify([request, metadata?.event_payload["part"] ?? 1]);
    const before = finals.get(part);
    if (before !== undefined && before !== text) problems.push(`answer ${ts} was another one before`);
    finals.set(part, text);
  }

  return {
    /** Called when a message was posted or changed. */
    changed: (message: Message) => {
      const { request_id: request, state } = message.metadata?.event_payload ?? {};
      if (typeof request !== "string") return;
      const now = agenda.now();
      shown.getOrInsertComputed(request, () => ({ firstAt: now, lastAt: now })).lastAt = now;
      // Execution deletes a request a day after its task.
      if (state === "done") readInputs();
      // A card changes.
      if (state === "done" && !request.startsWith("input:")) judgeFinal(request, message);
    },
    /** By request id. */
    shown,
    /** Returns all input requests, as they were last. */
    inputRequests: readInputs,
    /** A message without an answer is right if it is listed as missed, and one that is gone if it never had one. */
    withMissed: (one: Judged): Judged => {
      const { message, planned, answers, verdict } = one;
      const isMissed = missed.get(message.channel, message.ts) !== undefined;
      if (isMissed) return { ...one, verdict: answers.length === 0 ? "answered" : "doubled" };
      const isGone = planned.delivery.copies === 0 && planned.later?.does === "deletes";
      return isGone ? { ...one, verdict: answers.length === 0 ? "answered" : "wrong" } : { ...one, verdict };
    },
    /** Wrong answers. */
    problems,
    /**
     * Returns whether a question or a task is open. A stopping process may have released it for some seconds. The task of a stopped question ends by
     * itself if its cancellation was lost.
     */
    hasOpen: () => findOpen.some((statement) => statement.get() !== undefined),
    close: () => [file, tasks].forEach((one) => one.close()),
  };
}
