import { chooseModel, isModelProblem } from "../../../packages/assistant/src/index.ts";

const names = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"] as const;

/** Returns the banner's lines about the language model: the connected one, or how to connect one. */
export function modelLines(env: Readonly<Record<string, string | undefined>>): string[] {
  // The key may be in a file.
  const set = Object.fromEntries(
    names.map((name) => [name, env[name] || (env[`${name}_FILE`] && "a file") || undefined]),
  );
  const choice = chooseModel({ ...set, MODEL: env["MODEL"] || undefined });
  if (isModelProblem(choice)) return [];
  if (choice !== undefined) {
    const { provider, id = `the model of ${env["OPENAI_BASE_URL"] ?? ""}` } = choice;
    const file = env["MCP_FILE"];
    const served = file === undefined || file === "" ? [] : [`  MCP servers: those of ${file}`];
    return ["", `  Language model: ${id} (${labels[provider]})`, ...served];
  }
  return [
    "",
    "  No language model is connected. To connect one (docs/models.md), start with one of:",
    "    ANTHROPIC_API_KEY=sk-ant-… npx -y pnpm@12.18.0 dev",
    "    OPENAI_API_KEY=sk-… npx -y pnpm@12.18.0 dev",
    "    OPENAI_BASE_URL=http://127.0.0.1:11434/v1 MODEL=openai/qwen3:8b npx -y pnpm@12.18.0 dev",
  ];
}

const labels = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  bedrock: "Amazon Bedrock",
  "openai-compatible": "OpenAI-compatible",
} as const;
