import { chooseModel, isModelProblem } from "@crosszone/assistant";
import type { OpenModel } from "@crosszone/assistant/runtime";
import { ConfigError } from "@crosszone/service-kit";
import { modelsIn } from "../agents/assistant/settings/assistant-file.ts";
import { namedModel, readAssistantFile } from "../agents/assistant/settings/read-assistant-file.ts";
import type { ExecutionConfig } from "../config/config.ts";

/**
 * Opens the configured model. Undefined when none is configured, or when this process runs no tasks. Rejects with a
 * `ConfigError` when the server at OPENAI_BASE_URL doesn't say which model it has.
 */
export async function connectModel(config: ExecutionConfig): Promise<OpenModel | undefined> {
  const choice = chooseModel(config);
  if (choice === undefined || !config.EXECUTION_ROLES.includes("rpc")) return undefined;
  if (isModelProblem(choice)) throw new ConfigError([choice]);
  const { accessOf, listModels, openModel } = await import("@crosszone/assistant/runtime");
  const { OPENAI_BASE_URL: url = "", OPENAI_API_KEY: key } = config;
  const id = choice.id ?? (await onlyModel(() => listModels(url, key)));
  return openModel(choice.provider, id, accessOf(choice.provider, config));
}

async function onlyModel(list: () => Promise<readonly string[]>): Promise<string> {
  const expected = "openai/<id of a model on that server>";
  const problem = (wrong: string): ConfigError => new ConfigError([{ name: "MODEL", wrong, expected }]);
  const ids = await list().catch((error: unknown) => {
    const why = error instanceof Error && error.message.startsWith("it ") ? error.message : "it can't be reached";
    throw problem(`is not set, and the server at OPENAI_BASE_URL doesn't list its models: ${why}`);
  });
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  const some = ids.slice(0, 10).join(", ");
  throw problem(`is not set, and the server at OPENAI_BASE_URL has ${ids.length} models${some && `: ${some}`}`);
}

/** Opens the model `provider/id` of ASSISTANT_FILE. Rejects with a `ConfigError` when it can't be used. */
export async function openNamedModel(name: string, config: ExecutionConfig): Promise<OpenModel> {
  const choice = namedModel(name, config);
  if (typeof choice === "string")
    throw new ConfigError([{ name: "ASSISTANT_FILE", wrong: `names a model that can't be used: ${choice}` }]);
  const { accessOf, openModel } = await import("@crosszone/assistant/runtime");
  return openModel(choice.provider, choice.id, accessOf(choice.provider, config));
}

/**
 * Opens every model that the variables and ASSISTANT_FILE name, that of MODEL first. Empty when no model is connected.
 */
export async function connectModels(config: ExecutionConfig): Promise<OpenModel[]> {
  const main = await connectModel(config);
  if (main === undefined) return [];
  const names = new Set(modelsIn(readAssistantFile(config)).map(([, name]) => name));
  const others = await Promise.all([...names].map((name) => openNamedModel(name, config)));
  return [main, ...others.filter(({ name }) => name !== main.name)];
}
