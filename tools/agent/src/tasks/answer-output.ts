import type { Part } from "@crosszone/a2a";
import type { TaskHandle, Usage } from "../agent-definition.ts";
import { addArtifact, isTaskEnded, setStatus, type TaskRecord } from "./task-record.ts";

/** Largest total of an answer, characters. */
const maxAnswer = 32 * 1024 * 1024;

/** The part of a task that makes the answer. */
interface AnswerOutput extends Pick<TaskHandle, "progress" | "write" | "file" | "data" | "followUps" | "usage"> {
  /** Sends text that is waiting for more. */
  readonly flush: (isLast?: boolean) => void;
  /** Adds the end of the text. `flush` sends it. */
  readonly end: (text: string) => void;
}

/** Adds what a handler says to its task. Does nothing once the task has ended: a handler may still have timers. */
export function createAnswerOutput(record: TaskRecord): AnswerOutput {
  let count = 0;
  const reserve = (size: number): void => {
    if (record.size + size > maxAnswer) throw new RangeError(`The answer is larger than ${maxAnswer} characters.`);
    record.size += size;
  };
  const { write, append, flush } = createTextWriter((text, isLast) =>
    addArtifact(record, { artifactId: "answer", parts: [{ text }] }, { isLast }),
  );
  const addPart = (kind: string, part: Part): void => {
    reserve((part.raw ?? part.url ?? JSON.stringify(part.data)).length);
    flush();
    const name = part.filename === undefined ? {} : { name: part.filename };
    addArtifact(record, { artifactId: `${kind}-${++count}`, ...name, parts: [part] }, { isLast: true });
  };
  const whileRunning =
    <A extends readonly unknown[]>(act: (...args: A) => void) =>
    (...args: A): void => {
      if (!isTaskEnded(record)) act(...args);
    };
  return {
    flush,
    end: (text) => {
      reserve(text.length);
      append(text);
    },
    progress: whileRunning((text) => {
      checkText(text, "progress");
      flush();
      if (record.status.state === "TASK_STATE_WORKING") setStatus(record, "TASK_STATE_WORKING", text);
    }),
    write: whileRunning((text) => {
      reserve(checkText(text, "write").length);
      write(text);
    }),
    file: whileRunning((name, mediaType, content) => {
      const filename = checkText(name, "file");
      addPart("file", { ...contentOf(content), mediaType: checkText(mediaType, "file"), filename });
    }),
    data: whileRunning((value) => addPart("data", { data: jsonOf(value), mediaType: "application/json" })),
    followUps: whileRunning((questions) => {
      record.metadata = { ...record.metadata, "https://crosszone.dev/follow-ups": [...questions] };
    }),
    usage: whileRunning((usage) => {
      record.metadata = { ...record.metadata, usage: sum(record.metadata?.["usage"], usage) };
    }),
  };
}

/** Returns the text. Throws a `TypeError` for another value, which programs in JavaScript can pass. */
export function checkText(text: unknown, method: string): string {
  if (typeof text === "string") return text;
  throw new TypeError(`task.${method} expected a string, got ${text === null ? "null" : typeof text}.`);
}

function contentOf(content: Uint8Array | string | URL): Part {
  if (content instanceof URL) return { url: content.href };
  if (typeof content === "string" || content instanceof Uint8Array)
    return { raw: Buffer.from(content).toString("base64") };
  throw new TypeError("task.file expected the content as a Uint8Array, a string or a URL.");
}

/** Returns a copy that later changes don't touch. */
function jsonOf(value: unknown): unknown {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`task.data expected a JSON value, got ${typeof value}.`);
  return JSON.parse(json);
}

const usageNames = {
  inputTokens: "input_tokens",
  outputTokens: "output_tokens",
  cachedInputTokens: "cached_input_tokens",
  cost: "cost",
} as const satisfies Record<keyof Usage, string>;

/** Adds a report to the sum so far, in the names that Crosszone reads. */
function sum(earlier: unknown, usage: Usage): object {
  const total = { ...(earlier as Record<string, number> | undefined) };
  for (const [member, name] of Object.entries(usageNames)) {
    const count = usage[member as keyof Usage];
    if (typeof count === "number" && count >= 0) total[name] = (total[name] ?? 0) + count;
  }
  return total;
}

/** Pieces of an answer that come faster are sent together, milliseconds. */
const pauseMs = 20;
/** Characters of an event. */
const maxPiece = 65_536;

/**
 * Puts small pieces of text together, so that a fast model doesn't cause an event for each token. The first piece is sent at once, and the
 * ones that follow it within 20 ms together.
 */
function createTextWriter(send: (text: string, isLast: boolean) => void) {
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (isLast = false): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    send(text, isLast);
  };
  const onPause = (): void => {
    timer = undefined;
    if (waiting !== "") begin();
  };
  const begin = (): void => {
    flush();
    timer = setTimeout(onPause, pauseMs);
  };
  const write = (text: string): void => {
    waiting += text;
    if (timer === undefined) begin();
    else if (waiting.length >= maxPiece) flush();
  };
  /** Adds a text that the next `flush` sends. */
  const append = (text: string): void => void (waiting += text);
  return { write, append, flush };
}
