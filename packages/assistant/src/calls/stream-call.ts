import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import { AssistantError } from "../failure.ts";

export type ModelCallOptions = LanguageModelV4CallOptions;
export type CallPart = LanguageModelV4StreamPart;

/** One streamed call of a model. Resolves when the provider has started to answer. */
export type StreamCall = (options: ModelCallOptions) => Promise<AsyncIterable<CallPart>>;

export function streamCallOf(model: LanguageModelV4): StreamCall {
  return async (options) => (await model.doStream(options)).stream;
}

/** Returns the model with another streamed call. It can't be called without streaming. */
export function withStreamCall(model: LanguageModelV4, call: StreamCall): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("the assistant streams every call")),
    doStream: async (options) => ({ stream: ReadableStream.from(await call(options)) }),
  };
}

/**
 * Ends a call that sends nothing for `silenceMs`, before the first part or between two parts: rejects with `silent` and
 * closes the connection. A ping is no silence. The time of tools is not part of a call.
 */
export function limitSilence(call: StreamCall, silenceMs: number): StreamCall {
  return async (options) => {
    const controller = new AbortController();
    const { abortSignal } = options;
    const signal = abortSignal === undefined ? controller.signal : AbortSignal.any([abortSignal, controller.signal]);
    const silent = new AssistantError("silent", `nothing came for ${silenceMs} ms`);
    const within = <T>(step: Promise<T>): Promise<T> =>
      withTimeout(silenceMs, () => step).catch((error: unknown) => {
        if (!(error instanceof TimeLimitError)) throw error;
        controller.abort(silent);
        throw silent;
      });

    const parts = await within(call({ ...options, abortSignal: signal, includeRawChunks: true }));
    return (async function* () {
      const iterator = parts[Symbol.asyncIterator]();
      let isOpen = true;
      try {
        while (isOpen) {
          const next = await within(iterator.next());
          isOpen = next.done !== true;
          if (next.done !== true) yield next.value;
        }
      } finally {
        // A consumer that stops reading closes the connection, too.
        if (isOpen) {
          controller.abort(silent);
          void iterator.return?.()?.then(undefined, () => undefined);
        }
      }
    })();
  };
}
