import {
  type Answer,
  type Assistant,
  type AssistantLimits,
  type AssistantObserver,
  defaultLimits,
  type Question,
  type TurnContext,
} from "./assistant.ts";
import { readFiles } from "./files/read-files.ts";
import type { RefusedFile } from "./files/question-file.ts";
import type { OpenModel } from "./models/open-model.ts";
import { noTracer, type CallTracer } from "./spans/call-tracer.ts";
import { makeFile } from "./tools/make-file.ts";
import { nameTools } from "./tools/name-tools.ts";
import { toolSetOf } from "./tools/tool-set.ts";
import { createAnswerText } from "./turn/answer-text.ts";
import { boundedModel } from "./turn/bounded-model.ts";
import { completeAnswer } from "./turn/complete-answer.ts";
import { questionMessage } from "./turn/question-message.ts";
import { runLoop } from "./turn/run-loop.ts";
import { readThread } from "./turn/thread-messages.ts";
import { createTurnState } from "./turn/turn-state.ts";
import { charactersPerToken } from "./usage/estimate-tokens.ts";
import { createUsageMeter } from "./usage/usage-meter.ts";

export interface AssistantDeps {
  readonly model: OpenModel;
  readonly limits?: Partial<AssistantLimits>;
  readonly observer: AssistantObserver;
  /** Records the calls; nothing when absent. */
  readonly tracer?: CallTracer;
}

/** An assistant that answers each question by a loop of model calls and tool calls. It keeps nothing from one question to the next. */
export function createAssistant({ model, limits: given, observer, tracer = noTracer }: AssistantDeps): Assistant {
  const limits = { ...defaultLimits, ...given };

  async function answer(question: Question, context: TurnContext): Promise<Answer> {
    const { signal, preview, spending, onUsage } = context;
    signal.throwIfAborted();
    const meter = createUsageMeter(model, { spending, onFailure: observer.settlingFailed });
    try {
      const { userId, files } = question;
      const reading = { signal, mostCharacters: limits.inputTokens * charactersPerToken };
      const thread = readThread(question.thread, { userId, mostTokens: limits.inputTokens });
      const { parts, refused } = await readFiles(files, reading);
      const state = createTurnState(thread.hasOthers || parts.length > 0, (steps) => preview?.progress({ steps }));
      const text = createAnswerText((delta) => preview?.text(delta));
      const named = nameTools([makeFile, ...question.tools]);
      const { resultCharacters } = limits;
      const turn = { tracer, traceparent: context.traceparent };
      const ended = await runLoop({
        model: boundedModel(model, { limits, meter, observer, turn }),
        messages: [...thread.messages, questionMessage(question.text, parts, refused)],
        tools: toolSetOf(named, { state, resultCharacters, turn, onFailure: observer.toolFailed }),
        named,
        state,
        text,
        limits,
        context,
      });
      const complete = completeAnswer(text.text, ended, noteOf(refused));
      return { text: complete, files: state.files, refused, usage: meter.total() };
    } finally {
      onUsage?.(meter.total());
    }
  }

  return { answer };
}

/** Says which files were not read; empty when all were. */
function noteOf(refused: readonly RefusedFile[]): string {
  return refused.map(({ name, why }) => `_Not read: ${name.replaceAll(/[_*`]/g, " ")}. ${why}_`).join("\n");
}
