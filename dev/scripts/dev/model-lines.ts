import { chooseModel, isModelProblem } from "../../../packages/assistant/src/index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const names = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"] as const;

/** Returns the connected language model and its provider; undefined if none is connected. The zone reports invalid variables. */
export function modelInUse(env: Variables): string | undefined {
  // The key may be in a file.
  const set = Object.fromEntries(
    names.map((name) => [name, env[name] || (env[`${name}_FILE`] && "a file") || undefined]),
  );
  const choice = chooseModel({ ...set, MODEL: env["MODEL"] || undefined });
  if (choice === undefined || isModelProblem(choice)) return undefined;
  const { provider, id = `the model of ${env["OPENAI_BASE_URL"] ?? ""}` } = choice;
  return `${id} (${labels[provider]})`;
}

/** Returns the lines about the language model: the connected one, or how to connect one. */
export function modelLines(env: Variables): string[] {
  const model = modelInUse(env);
  if (model === undefined)
    return [
      "ANTHROPIC_API_KEY=sk-ant-… ./crosszone dev",
      "OPENAI_API_KEY=sk-… ./crosszone dev",
      "OPENAI_BASE_URL=http://127.0.0.1:11434/v1 MODEL=openai/qwen3:8b ./crosszone dev",
    ];
  return [model];
}

const labels = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  bedrock: "Amazon Bedrock",
  "openai-compatible": "OpenAI-compatible",
} as const;
