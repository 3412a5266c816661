import { chooseModel, isModelProblem } from "@crosszone/assistant";
import type { OpenModel } from "@crosszone/assistant/runtime";
import { ConfigError } from "@crosszone/service-kit";
import { modelsIn } from "../agents/assistant/settings/assistant-file.ts";
import { namedModel } from "../agents/assistant/settings/named-model.ts";
import { readAssistantFile } from "../agents/assistant/settings/read-assistant-file.ts";
import type { ExecutionConfig } from "../config.ts";

/**
 * Opens the model that the variables name. Nothing where they name none, or where this process runs no tasks. Throws a `ConfigError` when the
 * server at OPENAI_BASE_URL doesn't say which model it has.
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
  const expected = "openai/<id of a model of that server>";
  const problem = (wrong: string): ConfigError => new ConfigError([{ name: "MODEL", wrong, expected }]);
  const ids = await list().catch((error: unknown) => {
    const why = error instanceof Error && error.message.startsWith("it ") ? error.message : "it can't be reached";
    throw problem(`is not set, and the server at OPENAI_BASE_URL can't be asked for its model: ${why}`);
  });
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  const some = ids.slice(0, 10).join(", ");
  throw problem(`is not set, and the server at OPENAI_BASE_URL has ${ids.length} models${some && `: ${some}`}`);
}

/** Opens a model by `provider/id`, as ASSISTANT_FILE names it. Rejects with a `ConfigError` when it can't be used. */
export async function openNamedModel(name: string, config: ExecutionConfig): Promise<OpenModel> {
  const choice = namedModel(name, config);
  if (typeof choice === "string")
    throw new ConfigError([{ name: "ASSISTANT_FILE", wrong: `names a model that cannot be used: ${choice}` }]);
  const { accessOf, openModel } = await import("@crosszone/assistant/runtime");
  return openModel(choice.provider, choice.id, accessOf(choice.provider, config));
}

/** Opens every model that the variables and ASSISTANT_FILE name, the one of MODEL first. None where no model is connected. */
export async function connectModels(config: ExecutionConfig): Promise<OpenModel[]> {
  const main = await connectModel(config);
  if (main === undefined) return [];
  const names = new Set(modelsIn(readAssistantFile(config)).map(([, name]) => name));
  const others = await Promise.all([...names].map((name) => openNamedModel(name, config)));
  return [main, ...others.filter(({ name }) => name !== main.name)];
}
