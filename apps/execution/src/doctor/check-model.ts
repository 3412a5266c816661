import type { AssistantError } from "@crosszone/assistant";
import type { OpenModel } from "@crosszone/assistant/runtime";
import { ConfigError } from "@crosszone/service-kit";
import { failed, passed, skipped, type Check } from "@crosszone/service-kit/doctor";

/** How the check reaches the models: those that the variables and ASSISTANT_FILE name, and one short call of each. */
export interface ModelTrial {
  /** Rejects with a `ConfigError` when the server doesn't say which model it has. */
  readonly connect: () => Promise<readonly OpenModel[]>;
  /** Returns why the model did not answer, undefined when it did. */
  readonly tryModel: (model: OpenModel) => Promise<AssistantError | undefined>;
}

/** Whether each language model answers. Sends it one short question, which costs a few tokens. */
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

/** What to do about a failure, for the person who runs the zone. */
const todos: Partial<Record<AssistantError["reason"], string>> = {
  invalid_key: "Check the key and what it may be used for.",
  unknown_model: "Check the id in MODEL or ASSISTANT_FILE: the provider doesn't have that model, or not for this key.",
  quota: "Raise the quota or the credit of the account.",
  unreachable: "Check the base URL, and that this machine can reach it.",
};
