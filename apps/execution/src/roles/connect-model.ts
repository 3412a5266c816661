import { chooseModel, isModelProblem, type ModelChoice } from "@crosszone/assistant";
import type { OpenModel, ProviderAccess } from "@crosszone/assistant/runtime";
import { ConfigError } from "@crosszone/service-kit";
import type { ExecutionConfig } from "../config.ts";

/**
 * Opens the model that the variables name. Nothing where they name none, or where this process runs no tasks. Throws a `ConfigError` when the
 * server at OPENAI_BASE_URL doesn't say which model it has.
 */
export async function connectModel(config: ExecutionConfig): Promise<OpenModel | undefined> {
  const choice = chooseModel(config);
  if (choice === undefined || !config.EXECUTION_ROLES.includes("rpc")) return undefined;
  if (isModelProblem(choice)) throw new ConfigError([choice]);
  const { listModels, openModel } = await import("@crosszone/assistant/runtime");
  const { OPENAI_BASE_URL: url = "", OPENAI_API_KEY: key } = config;
  const id = choice.id ?? (await onlyModel(() => listModels(url, key)));
  return openModel(choice.provider, id, accessOf(choice, config));
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

function accessOf({ provider }: ModelChoice, config: ExecutionConfig): ProviderAccess {
  if (provider === "anthropic") return { apiKey: config.ANTHROPIC_API_KEY, baseUrl: config.ANTHROPIC_BASE_URL };
  if (provider !== "bedrock") return { apiKey: config.OPENAI_API_KEY, baseUrl: config.OPENAI_BASE_URL };
  return {
    apiKey: config.AWS_BEARER_TOKEN_BEDROCK,
    baseUrl: config.AWS_ENDPOINT_URL_BEDROCK_RUNTIME,
    aws: {
      region: config.AWS_REGION ?? "",
      accessKeyId: config.AWS_ACCESS_KEY_ID,
      secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
      sessionToken: config.AWS_SESSION_TOKEN,
    },
  };
}
