import type { ThreadMessage } from "@crosszone/contracts";
import { createTracer } from "@crosszone/service-kit/tracing";
import type { TurnTracer } from "./calls/call-tracer.ts";
import type { TurnContext } from "./turn/turn-context.ts";
import { boundedModel } from "./calls/bounded-model.ts";
import { AssistantError, failureDetail } from "./failure.ts";
import { recallThread } from "./memory/recall-thread.ts";
import { summarize } from "./memory/summarize.ts";
import { type AssistantEmit, type AssistantLimits, defaultLimits } from "./limits.ts";
import type { OpenModel } from "./models/open-model.ts";
import { makeFile } from "./tools/make-file.ts";
import { type AssistantTool, type MadeFile, nameTools } from "./tools/assistant-tool.ts";
import { toolSetOf } from "./tools/tool-set.ts";
import { createTurnState } from "./tools/turn-state.ts";
import { createAnswerText } from "./turn/answer-text.ts";
import { questionMessage, type QuestionFile, readFiles, type RefusedFile } from "./turn/question-files.ts";
import { completeAnswer, runLoop } from "./turn/run-loop.ts";
import { charactersPerToken } from "./usage/tokens.ts";
import { createUsageMeter, type TurnUsage } from "./usage/usage-meter.ts";

/** A person's message with its context. */
export interface Question {
  /** Empty when the message has only files. */
  readonly text: string;
  /** Slack user id of the requester. */
  readonly userId: string | undefined;
  /** Earlier messages of the thread, oldest first. */
  readonly thread: readonly ThreadMessage[];
  readonly files: readonly QuestionFile[];
  /** The operator's additional instructions. They can't override the built-in ones. */
  readonly instructions?: string;
  /** The tools that the model can use for this question. */
  readonly tools: readonly AssistantTool[];
}

export interface Answer {
  /** Markdown, never empty. */
  readonly text: string;
  readonly files: readonly MadeFile[];
  /** Files of the question that the model did not receive. */
  readonly refused: readonly RefusedFile[];
  readonly usage: TurnUsage;
}

/** Answers questions with a language model. */
export interface Assistant {
  /** Returns the answer. Rejects with the signal's reason or with an `AssistantError`. */
  answer(question: Question, context: TurnContext): Promise<Answer>;
}

export interface AssistantDeps {
  readonly model: OpenModel;
  readonly limits?: Partial<AssistantLimits>;
  readonly emit: AssistantEmit;
  /** Records the calls; when absent, nothing is recorded. */
  readonly tracer?: Pick<TurnTracer, "start" | "capturesContent">;
}

const noTracer = { start: createTracer().start, capturesContent: false };

/**
 * Creates an assistant that answers each question in a loop of model and tool calls. It keeps nothing between questions
 * except in `TurnContext.memory`.
 */
export function createAssistant({ model, limits: given, emit, tracer = noTracer }: AssistantDeps): Assistant {
  const limits = { ...defaultLimits, ...given };

  async function answer(question: Question, context: TurnContext): Promise<Answer> {
    const { signal, preview, spending, memory, onUsage } = context;
    signal.throwIfAborted();
    const meter = createUsageMeter(model, spending, (cause) => emit("model_use_not_recorded", { cause }));
    const { userId, files } = question;
    const { inputTokens, outputTokens } = limits;
    const turn = { ...tracer, traceparent: context.traceparent };
    // One attempt: the question is answered without a summary rather than late.
    const once = boundedModel(model, { limits: { ...limits, attempts: 1 }, meter, emit, turn });
    const thread = await recallThread(question.thread, {
      userId,
      memory,
      mostTokens: inputTokens,
      summarize: (request) => summarize(request, { model: once, signal, inputTokens, outputTokens }),
      onFailure: (cause) => signal.aborted || emit("summary_failed", { cause }),
    });
    let summarizing: Promise<unknown> | undefined;
    try {
      const reading = { signal, mostCharacters: inputTokens * charactersPerToken };
      const { parts, refused } = await readFiles(files, reading);
      const state = createTurnState(thread.hasOthers || parts.length > 0, (steps) => preview?.progress({ steps }));
      const text = createAnswerText((delta) => {
        // Not earlier: it must not use the room in a budget that the answer needs.
        summarizing ??= thread.summarizeNext();
        preview?.text(delta);
      });
      const named = nameTools([makeFile, ...question.tools]);
      const { resultCharacters } = limits;
      const onFailure = (agent_name: string, cause: unknown): void => emit("model_tool_failed", { agent_name, cause });
      const ended = await runLoop({
        model: boundedModel(model, { limits, meter, emit, turn }),
        messages: [...thread.messages, questionMessage(question.text, parts, refused)],
        added: question.instructions,
        tools: toolSetOf(named, { state, resultCharacters, turn, onFailure }),
        named,
        state,
        text,
        limits,
        context,
      });
      await thread.summarizeNext();
      const complete = completeAnswer(text.text, ended, noteOf(refused));
      return { text: complete, files: state.files, refused, usage: meter.total() };
    } catch (error) {
      if (error instanceof AssistantError) error.detail = failureDetail(error, meter.total());
      throw error;
    } finally {
      await summarizing;
      onUsage?.(meter.total());
    }
  }

  return { answer };
}

/** Lists the files that were not read; empty when all were. */
function noteOf(refused: readonly RefusedFile[]): string {
  return refused.map(({ name, why }) => `_Not read: ${name.replaceAll(/[_*`]/g, " ")}. ${why}_`).join("\n");
}
