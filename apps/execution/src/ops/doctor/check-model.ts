import type { AssistantError } from "@crosszone/assistant";
import type { OpenModel } from "@crosszone/assistant/runtime";
import { ConfigError } from "@crosszone/service-kit";
import { failed, passed, skipped, type Check } from "@crosszone/ops/doctor";

/** How the check opens the models that the variables and ASSISTANT_FILE name, and calls each once. */
export interface ModelTrial {
  /** Rejects with a `ConfigError` when the server doesn't name its model. */
  readonly connect: () => Promise<readonly OpenModel[]>;
  /** Returns why the model didn't answer; undefined when it did. */
  readonly tryModel: (model: OpenModel) => Promise<AssistantError | undefined>;
}

/** Checks that each language model answers a short prompt. Each call costs a few tokens. */
export function checkModel(reads: readonly string[], { connect, tryModel }: ModelTrial): Check {
  return {
    name: "model",
    reads,
    run: async () => {
      try {
        const models = await connect();
        if (models.length === 0)
          return skipped("no language model is connected: set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL");
        const tried = await Promise.all(models.map(async (model) => ({ model, failure: await tryModel(model) })));
        const says = tried
          .map(({ model, failure }) => model.label + (failure === undefined ? " answers" : `: ${failure.message}`))
          .join("; ");
        const failures = tried.flatMap(({ failure }) => failure ?? []);
        if (failures.length === 0) return passed(says);
        return failed(says, ...new Set(failures.map(({ reason, sentence }) => todos[reason] ?? sentence)));
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return failed(
          error.problems.map(({ name, wrong }) => `${name} ${wrong}`).join("; "),
          "Start the server, or set MODEL=openai/<id>.",
        );
      }
    },
  };
}

/** What the operator can do about each failure. */
const todos: Partial<Record<AssistantError["reason"], string>> = {
  invalid_key: "Check the key and its permissions.",
  unknown_model: "Check the id in MODEL or ASSISTANT_FILE: the provider doesn't offer that model to this key.",
  quota: "Raise the account's quota or add credit.",
  unreachable: "Check the base URL, and that this machine can probe it.",
};
