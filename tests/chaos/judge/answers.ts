import type { Message } from "@crosszone/dev-slack";

/** The app's answer to one request: its messages and files. */
export interface Answer {
  readonly requestId: string;
  readonly messages: readonly Message[];
  readonly files: readonly Message[];
}

/** Returns whether a message is the queued notice, which only the requester sees. It is not an answer. */
const isQueuedNotice = ({ ephemeral_for, text }: Message): boolean =>
  ephemeral_for !== undefined && text.startsWith("Your question is queued.");

/** Returns whether a message tells a guest, and only them, that the question was denied. */
export const isDenial = ({ ephemeral_for, text }: Message): boolean =>
  ephemeral_for !== undefined && text.startsWith("I do not answer guests");

/** Returns whether a message says that a stop came after the answer. */
const isLateStop = ({ text }: Message): boolean => text === "Nothing is running here.";

/** Returns whether a message says that the question was refused, because its author or its place could not be looked up. */
export const isRefusal = ({ text }: Pick<Message, "text">): boolean =>
  text.startsWith("I could not check whether I may answer this");

/** Groups the app's messages of one thread by request. A message without metadata is an answer of its own. */
export function answersIn(said: readonly Message[]): Answer[] {
  const messages = said.filter((message) => !isQueuedNotice(message) && !isLateStop(message));
  const answers = new Map<string, { requestId: string; messages: Message[]; files: Message[] }>();
  const of = (requestId: string): { messages: Message[]; files: Message[] } =>
    answers.getOrInsertComputed(requestId, () => ({ requestId, messages: [], files: [] }));
  for (const message of messages.filter(({ files }) => !files?.length)) {
    const requestId = message.metadata?.event_payload["request_id"];
    of(typeof requestId === "string" ? requestId : `none, ${message.ts}`).messages.push(message);
  }
  for (const message of messages.filter(({ files }) => files?.length)) {
    const begin = /^answer-([\w-]+)\.md$/.exec(message.files?.[0]?.name ?? "")?.[1] ?? `none, ${message.ts}`;
    of([...answers.keys()].find((requestId) => requestId.startsWith(begin)) ?? begin).files.push(message);
  }
  return [...answers.values()];
}

/** Returns what is wrong with an answer, regardless of its text. */
export function flawOf(
  { messages, files }: Answer,
  ends: readonly unknown[] = ["done"],
): "stuck" | "doubled" | "wrong" | undefined {
  const payloads = messages.map(({ metadata }) => metadata?.event_payload ?? {});
  if (payloads.some(({ state }) => state === "working")) return "stuck";
  if (messages.some(({ stream }) => stream?.state === "in_progress")) return "stuck";
  const parts = payloads.map(({ part }) => Number(part ?? 1));
  if (new Set(parts).size < parts.length || files.length > 1) return "doubled";
  const announced = new Set(payloads.map(({ parts: all }) => Number(all ?? 1)));
  const isWhole =
    announced.size === 1 && announced.has(parts.length) && payloads.every(({ state }) => ends.includes(state));
  return isWhole ? undefined : "wrong";
}

/** Returns the text of all messages, in the order of their parts. */
export function textOf({ messages }: Answer): string {
  const partOf = ({ metadata }: Message): number => Number(metadata?.event_payload["part"] ?? 1);
  return messages
    .toSorted((one, other) => partOf(one) - partOf(other))
    .map(({ markdown_text, text }) => markdown_text ?? text)
    .join("\n");
}
