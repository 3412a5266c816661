import type { Judged } from "../../chaos/judge/judge-thread.ts";
import type { PlannedMessage } from "../../chaos/plan/message-plan.ts";
import { ownMs } from "../plan/plan-calm.ts";
import type { SimulatedSlack } from "../world/slack.ts";
import type { Shown } from "./watch-answers.ts";

type Look = Pick<SimulatedSlack, "failedLookUps" | "acceptedAt">;

/**
 * Returns the messages whose verdict is wrong. A question may be refused when its author or its place could not be looked up; then the app does
 * not enter the thread either, and may ignore replies in it.
 */
export function wrongOf(judged: readonly Judged[], { failedLookUps }: Pick<Look, "failedLookUps">): Judged[] {
  const refused = new Set(judged.filter(({ verdict }) => verdict === "refused").map(({ planned }) => planned.number));
  return judged.filter(({ verdict, planned: { follows } }) => {
    if (verdict === "refused") return failedLookUps() === 0;
    return verdict !== "answered" && !(verdict === "lost" && follows !== undefined && refused.has(follows));
  });
}

/** Returns what was not done in order: in a thread, an answer begins when those before it are complete. */
export function disorderOf(
  judged: readonly Judged[],
  { acceptedAt }: Pick<Look, "acceptedAt">,
  shown: ReadonlyMap<string, Shown>,
): string[] {
  const answered = judged.flatMap(({ planned, message, answers }) => {
    const at = answers.length === 1 ? shown.get(answers[0]?.requestId ?? "") : undefined;
    return at === undefined ? [] : [{ number: planned.number, message, ...at }];
  });
  return answered.flatMap((one) =>
    answered
      .filter(
        (other) => threadOf(other) === threadOf(one) && (acceptedAt(one.message.ts) ?? Infinity) < writtenAt(other),
      )
      .filter((other) => other.number !== one.number && other.firstAt < one.lastAt)
      .map((other) => `message ${other.number} was answered before message ${one.number}, which came before it`),
  );
}

/** In calm, an answer is complete so soon after it could be, milliseconds: time for calls of Slack, and for one look by another process. */
const promptMs = 500;

/** Returns what was answered late in calm: a worker or a task was not woken, and only looked by chance. */
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

/** When it was written, Unix milliseconds. */
const writtenAt = ({ message }: Sent): number => Math.floor(Number(message.ts) * 1_000);
