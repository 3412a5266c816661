import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";

export type CallOptions = LanguageModelV4CallOptions;
export type CallPart = LanguageModelV4StreamPart;

/** One streamed call of a model. Resolves when the provider has started to answer. */
export type StreamCall = (options: CallOptions) => Promise<AsyncIterable<CallPart>>;

/** Returns the streamed call of a model. */
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
