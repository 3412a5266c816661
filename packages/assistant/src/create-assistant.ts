import type { ThreadMessage } from "@crosszone/contracts";
import { createTracer } from "@crosszone/service-kit/tracing";
import { boundedModel } from "./calls/bounded-model.ts";
import type { CallTracer } from "./calls/trace-calls.ts";
import {
  type AssistantEmit,
  AssistantError,
  type AssistantLimits,
  defaultTurnLimits,
  failureDetail,
} from "./failure.ts";
import { type RecalledThread, recallThread } from "./memory/recall-thread.ts";
import { summarize } from "./memory/summarize.ts";
import { authorsOf, type BesidesWords, besidesWords } from "./memory/thread-memory.ts";
import type { OpenModel } from "./models/open-model.ts";
import { type AssistantTool, type MadeFile, nameTools } from "./tools/assistant-tool.ts";
import { toolSetOf } from "./tools/tool-set.ts";
import { type TurnSnapshot, TurnState } from "./tools/turn-state.ts";
import { pauseIfPending, resumeCalls, threadOf, type TurnContext } from "./turn/paused-turn.ts";
import {
  type QuestionFile,
  readQuestionFiles,
  readFileTools,
  type RefusedFile,
  withQuestion,
} from "./turn/question-files.ts";
import { AnswerText, completeAnswer, runLoop } from "./turn/run-loop.ts";
import { charactersPerToken, type TurnUsage, UsageMeter } from "./usage-meter.ts";

export interface AssistantQuestion {
  /** The requester's own words. Empty when the message has only files or content of others. */
  readonly text: string;
  /** What else the message has, with `has_quotes` for the text. It is third-party content. */
  readonly besides?: BesidesWords;
  /** Slack user id of the requester. */
  readonly userId: string | undefined;
  readonly userName?: string | undefined;
  /** The agent that wrote the text, if the requester only pressed it. Then the text is third-party content. */
  readonly offeredBy?: string | undefined;
  /** Earlier messages of the thread, oldest first. */
  readonly thread: readonly ThreadMessage[];
  readonly files: readonly QuestionFile[];
  /** The operator's additional instructions. They can't override the built-in ones. */
  readonly instructions?: string;
  /** The tools that the model can use for this question. */
  readonly tools: readonly AssistantTool[];
}

export interface AssistantAnswer {
  /** Markdown, never empty. */
  readonly text: string;
  readonly files: readonly MadeFile[];
  /** Files that the model did not receive. */
  readonly refused: readonly RefusedFile[];
  readonly usage: TurnUsage;
}

/** Answers questions with a language model. */
export interface Assistant {
  /** Returns the answer. Rejects with the signal's reason, an `AssistantError`, or a `TurnPaused`. */
  answer(question: AssistantQuestion, context: TurnContext): Promise<AssistantAnswer>;
}

export interface AssistantDeps {
  readonly model: OpenModel;
  readonly limits?: Partial<AssistantLimits>;
  readonly emit: AssistantEmit;
  /** Records the calls; when absent, nothing is recorded. */
  readonly tracer?: CallTracer;
}

export const noTracer = { start: createTracer().start, capturesContent: false };

/**
 * Creates an assistant that answers each question in a loop of model and tool calls. It keeps nothing between questions
 * except in `TurnContext.memory`.
 */
export function createAssistant({ model, limits: given, emit, tracer = noTracer }: AssistantDeps): Assistant {
  const limits = { ...defaultTurnLimits, ...given };
  return { answer: (question, context) => answer(question, context, { model, limits, emit, tracer }) };
}

async function answer(
  question: AssistantQuestion,
  context: TurnContext,
  { model, limits, emit, tracer }: Required<AssistantDeps> & { readonly limits: AssistantLimits },
): Promise<AssistantAnswer> {
  const { signal, preview, spending, onUsage, resumed } = context;
  signal.throwIfAborted();
  const before = resumed?.state;
  const meter = new UsageMeter(model, spending, (cause) => emit("model_use_not_recorded", { cause }));
  const turn = { ...tracer, traceparent: context.traceparent };
  const calls = { limits, meter, emit, turn };
  const thread = before === undefined ? await recall(question, context, { model, ...calls }) : threadOf(before);
  let summarizing: Promise<unknown> | undefined;
  try {
    const own = question.files.filter(({ isEarlier }) => isEarlier !== true);
    const earlier = question.files.filter(({ isEarlier }) => isEarlier === true);
    const read = () => readQuestionFiles(own, { signal, mostCharacters: limits.inputTokens * charactersPerToken });
    const files = before === undefined ? await read() : undefined;
    const start = before ?? startOf(question, thread);
    const state = new TurnState(start, (steps) => preview?.progress({ steps }));
    const show = (delta: string): void => {
      // Not earlier: it must not use the room in a budget that the answer needs.
      summarizing ??= thread.summarizeNext();
      preview?.text(delta);
    };
    const text = new AnswerText(show, before?.text);
    const named = nameTools([makeFile, ...readFileTools(earlier, limits.resultCharacters), ...question.tools]);
    const onFailure = (agent_name: string, cause: unknown): void => emit("model_tool_failed", { agent_name, cause });
    const options = { state, signal, resultCharacters: limits.resultCharacters, turn, meter, onFailure };
    const answered = resumed === undefined ? [] : await resumeCalls(resumed, { named, ...limits }, options);
    const soFar = () => {
      return { thread: thread.messages, answered, text: text.text, calls: meter.after(before?.calls) };
    };
    pauseIfPending(state, soFar());
    const given = files ?? (await read());
    const { refused } = given;
    const ended = await runLoop({
      model: boundedModel(model, calls),
      messages: withQuestion(thread.messages, question, given),
      answered,
      added: question.instructions,
      tools: toolSetOf(named, options),
      named,
      state,
      text,
      limits,
      context,
    });
    await thread.summarizeNext();
    if (ended.error === undefined) pauseIfPending(state, soFar());
    const unread = (question.besides?.unreadable ?? []).map(({ what, why }) => ({ name: what, why }));
    const complete = completeAnswer(text.text, ended, noteOf([...refused, ...unread]));
    return { text: complete, files: state.files, refused, usage: meter.total(before?.calls) };
  } catch (error) {
    if (error instanceof AssistantError) error.detail = failureDetail(error, meter.total());
    throw error;
  } finally {
    await summarizing;
    onUsage?.(meter.total());
  }
}

/** Returns whether anyone but the requester wrote, or named, a part of the conversation, and who is known to have. */
function startOf({ offeredBy, besides = {}, files, userId }: AssistantQuestion, thread: RecalledThread): TurnSnapshot {
  const isTainted = offeredBy !== undefined || besidesWords(besides).length > 0 || files.length > 0 || thread.hasOthers;
  const authors = authorsOf(besides).filter((author) => author !== userId);
  const sources = [...new Set([...thread.others, ...authors])];
  return { isTainted, sources, modelCalls: 0, pending: [], steps: [], counts: [], files: [] };
}

function recall(
  { userId, thread }: AssistantQuestion,
  { signal, memory }: TurnContext,
  { model, ...calls }: Parameters<typeof boundedModel>[1] & { readonly model: OpenModel },
): Promise<RecalledThread> {
  const { inputTokens, outputTokens } = calls.limits;
  // One attempt: the question is answered without a summary rather than late.
  const once = boundedModel(model, { ...calls, limits: { ...calls.limits, attempts: 1 } });
  return recallThread(thread, {
    userId,
    memory,
    mostTokens: inputTokens,
    summarize: (request) => summarize(request, once, { signal, inputTokens, outputTokens }),
    onFailure: (cause) => signal.aborted || calls.emit("summary_failed", { cause }),
  });
}

/** Lists what was not read of the question; empty when all was. */
function noteOf(refused: readonly RefusedFile[]): string {
  return refused.map(({ name, why }) => `_Not read: ${name.replaceAll(/[_*`]/g, " ")}. ${why}_`).join("\n");
}

/** The largest file that the model can write, bytes. */
const mostBytes = 1_000_000;

const mediaTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
  svg: "image/svg+xml",
  txt: "text/plain",
  xml: "application/xml",
  yaml: "application/yaml",
};

/** The tool with which the model attaches a text file to its answer. */
const makeFile: AssistantTool = {
  name: "make_file",
  title: "Write a file",
  description:
    "Attaches a text file (CSV, JSON, Markdown, HTML, SVG, plain text) to your answer. Use it when the person asks for a file, or when a table or text is too long for a message.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "File name with its extension, for example report.csv" },
      content: { type: "string", description: "The whole content" },
    },
    required: ["name", "content"],
    additionalProperties: false,
  },
  sideEffects: false,
  trusted: true,
  run: async (input) => {
    const { name, content } = input as { readonly name?: unknown; readonly content?: unknown };
    if (typeof name !== "string" || name.trim() === "" || typeof content !== "string")
      return { text: "Not written: give a name and the content as texts.", failed: true };
    const bytes = new TextEncoder().encode(content);
    if (bytes.length > mostBytes) return { text: "Not written: the content is larger than 1 MB.", failed: true };
    return { text: `${name} is attached to your answer.`, files: [fileOf(name, bytes)] };
  },
};

function fileOf(name: string, bytes: Uint8Array): MadeFile {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return { name, mediaType: mediaTypes[extension] ?? "text/plain", bytes };
}
