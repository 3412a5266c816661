/**
 * The API of a provider. `openai-compatible` is any other server with OpenAI's chat API: vLLM, Ollama, llama.cpp,
 * LiteLLM.
 */
export type ProviderName = "anthropic" | "openai" | "bedrock" | "openai-compatible";

/** The environment's settings that choose the model. */
export interface ModelSettings {
  readonly MODEL?: string;
  readonly ANTHROPIC_API_KEY?: string;
  readonly OPENAI_API_KEY?: string;
  readonly OPENAI_BASE_URL?: string;
}

/** The chosen model. Without an `id`, the server is asked for its only model. */
export interface ModelChoice {
  readonly provider: ProviderName;
  readonly id: string | undefined;
}

/** Why the settings name no model, as the rest of a sentence that starts with the variable, and what is expected. */
interface ModelProblem {
  readonly name: "MODEL" | "ANTHROPIC_API_KEY" | "OPENAI_API_KEY";
  readonly wrong: string;
  readonly expected: string;
}

/** How an operator connects a model, in one line; `docs/models.md` has the details. */
export const howToConnect = "set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL";

export const defaultModelIds = { anthropic: "claude-sonnet-4-6", openai: "gpt-5.2" } as const;

const expected = "anthropic/<id>, openai/<id>, bedrock/<id>, or none";

/** Returns the model of the settings, undefined when they name none, or what is wrong with them. */
export function chooseModel(settings: ModelSettings): ModelChoice | ModelProblem | undefined {
  const { MODEL: named, ANTHROPIC_API_KEY: anthropic, OPENAI_API_KEY: openai, OPENAI_BASE_URL: url } = settings;
  if (named === "none") return undefined;
  if (named !== undefined) return namedChoice(named, settings);
  const other = url === undefined ? "OPENAI_API_KEY" : "OPENAI_BASE_URL";
  if (anthropic !== undefined && (openai ?? url) !== undefined)
    return { name: "MODEL", wrong: `is not set, but ANTHROPIC_API_KEY and ${other} both are`, expected };
  if (anthropic !== undefined) return { provider: "anthropic", id: defaultModelIds.anthropic };
  if (isOwnServer(url)) return { provider: "openai-compatible", id: undefined };
  return openai === undefined ? undefined : { provider: "openai", id: defaultModelIds.openai };
}

function namedChoice(named: string, settings: ModelSettings): ModelChoice | ModelProblem {
  const { ANTHROPIC_API_KEY: anthropic, OPENAI_API_KEY: openai, OPENAI_BASE_URL: url } = settings;
  const [, provider = "", id = ""] = /^([^/]*)\/(.+)$/.exec(named) ?? [];
  if (provider === "bedrock") return { provider, id };
  if (provider === "anthropic")
    return anthropic === undefined ? missing("ANTHROPIC_API_KEY", provider) : { provider, id };
  if (provider === "openai") {
    if (isOwnServer(url)) return { provider: "openai-compatible", id };
    return openai === undefined ? missing("OPENAI_API_KEY", provider) : { provider, id };
  }
  // Model ids of such a server may or may not contain a slash.
  if (isOwnServer(url)) return { provider: "openai-compatible", id: named };
  return { name: "MODEL", wrong: "doesn't start with a known provider", expected };
}

function missing(name: ModelProblem["name"], provider: ProviderName): ModelProblem {
  return { name, wrong: `is not set, which MODEL=${provider}/… needs`, expected: `an API key of ${labels[provider]}` };
}

/** Whether OPENAI_BASE_URL names a server other than OpenAI's own. */
const isOwnServer = (url: string | undefined): boolean =>
  url !== undefined && new URL(url).hostname !== "api.openai.com";

/** The names of providers, for people. */
export const labels: Readonly<Record<ProviderName, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  bedrock: "Amazon Bedrock",
  "openai-compatible": "OpenAI-compatible",
};

export function isModelProblem(choice: ModelChoice | ModelProblem | undefined): choice is ModelProblem {
  return choice !== undefined && "wrong" in choice;
}

/** Timeout of listing models, milliseconds. */
const timeoutMs = 5_000;

/** The longest list, bytes. */
const mostBytes = 1_000_000;

/** Returns the models of a server with OpenAI's API. Rejects when it can't be reached or answers something else. */
export async function listModels(baseUrl: string, apiKey: string | undefined): Promise<string[]> {
  const [base = "", query] = baseUrl.split("?");
  const response = await fetch(`${base.replace(/\/$/, "")}/models${query === undefined ? "" : `?${query}`}`, {
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`it answered HTTP ${response.status}`);
  }
  const text = await response.text();
  if (text.length > mostBytes) throw new Error("its list of models is too long");
  const { data } = JSON.parse(text) as { readonly data?: readonly { readonly id?: unknown }[] };
  return (data ?? []).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
}
