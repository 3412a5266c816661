import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { vi } from "vitest";
import type { ProviderName } from "../models/model-choice.ts";
import { type OpenModel, openModel } from "../models/open-model.ts";

type Part = LanguageModelV4StreamPart;
type FinishReason = Extract<Part, { type: "finish" }>["finishReason"]["unified"];

/** Opens a model of each provider at a test server's URL, with the provider's real package. */
export const wireModels: Readonly<Record<ProviderName, (url: string) => Promise<OpenModel>>> = {
  anthropic: (url) => openModel("anthropic", "claude-sonnet-4-6", { apiKey: "planted-key", baseUrl: `${url}/v1` }),
  openai: (url) => openModel("openai", "gpt-5.2", { apiKey: "planted-key", baseUrl: `${url}/v1` }),
  "openai-compatible": (url) => openModel("openai-compatible", "qwen3:8b", { baseUrl: `${url}/v1` }),
  bedrock: (url) => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDPLANTED");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "planted-key");
    const place = { baseUrl: url, region: "eu-central-1" };
    return openModel("bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0", place);
  },
};

export const wireProviders = Object.keys(wireModels) as ProviderName[];

/** A call's script: the parts it sends, or an error before the first. */
export type Script = readonly Part[] | Error | ((options: LanguageModelV4CallOptions) => readonly (Part | Error)[]);

export interface ScriptedModel extends OpenModel {
  /** The model's calls. */
  readonly calls: LanguageModelV4CallOptions[];
}

/**
 * A model that follows a script, one entry per call; the last entry repeats. An `Error` among the parts breaks the
 * stream.
 */
export function scriptedModel(...scripts: readonly Script[]): ScriptedModel {
  const calls: LanguageModelV4CallOptions[] = [];
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted-1",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not used")),
    doStream: async (options) => {
      const script = scripts[Math.min(calls.length, scripts.length - 1)] ?? [];
      calls.push(options);
      if (script instanceof Error) throw script;
      const parts = typeof script === "function" ? script(options) : script;
      return { stream: ReadableStream.from(send(parts)) };
    },
  };
  const id = model.modelId;
  return { model, id, name: `scripted/${id}`, label: "Scripted", priced: true, refused: new Set(), calls };
}

async function* send(parts: readonly (Part | Error)[]): AsyncGenerator<Part> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

/** A text in these deltas. */
export function text(...deltas: readonly string[]): Part[] {
  const id = "t1";
  return [
    { type: "text-start", id },
    ...deltas.map((delta): Part => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
  ];
}

let called = 0;

/** A call of a tool. */
export function call(toolName: string, input: unknown): Part {
  called += 1;
  return { type: "tool-call", toolCallId: `call-${called}`, toolName, input: JSON.stringify(input) };
}

/** The end of a call, with its token counts. */
export function finish(unified: FinishReason = "stop", { input = 10, output = 5, cached = 0 } = {}): Part {
  return {
    type: "finish",
    // A stream without a reason is `other`.
    finishReason: { unified, raw: unified === "other" ? undefined : unified },
    usage: {
      inputTokens: { total: input, noCache: input - cached, cacheRead: cached, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
  };
}
