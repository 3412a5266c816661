import { resolve } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { describe, expect, onTestFinished, test } from "vitest";
import { chooseModel, isModelProblem } from "../models/model-choice.ts";
import { accessOf, type AccessSettings, openModel, type OpenModel } from "../models/open-model.ts";
import { askAssistant, type Breaking, startBreakingServer, wireModels, wireProviders } from "../testing/index.ts";
import { liveCases } from "../testing/live-cases.ts";

/** Only a server that is silent on purpose may be taken for silent: the first call loads the provider's code. */
const limitsFor = (breaking: Breaking) => ({ attempts: 2, silenceMs: /silent|never/.test(breaking) ? 500 : 20_000 });

const afterText: Breaking[] = [
  "the socket dies",
  "it ends without a finish",
  "it sends what is no event",
  "it falls silent",
];

/** Sends three short questions to the model of the environment, which may cost a cent. */
const isLive = process.env["LIVE_MODEL_TEST"] === "1";

async function openConfigured(): Promise<OpenModel> {
  const set = Object.entries(process.env).filter(([, value]) => value !== "");
  const settings = Object.fromEntries(set) as AccessSettings;
  const choice = chooseModel(settings);
  if (choice === undefined)
    throw new Error("LIVE_MODEL_TEST=1 needs a model: set MODEL and a key, or OPENAI_BASE_URL (docs/models.md)");
  if (isModelProblem(choice)) throw new Error(`${choice.name} ${choice.wrong}. Expected: ${choice.expected}.`);
  if (choice.id === undefined) throw new Error("LIVE_MODEL_TEST=1 needs MODEL=openai/<id> with OPENAI_BASE_URL");
  return openModel(choice.provider, choice.id, accessOf(choice.provider, settings));
}

const fixtures = resolve(import.meta.dirname, "../../../../examples/models/demo.json");

describe.each(wireProviders)("%s", (provider) => {
  test.each(afterText)(
    "%s: the received part is an answer marked as incomplete, and nothing is sent again",
    async (breaking) => {
      const { url, count } = await startBreakingServer(breaking);
      const { answer, shown, usage, error } = await askAssistant(await wireModels[provider](url), {
        limits: limitsFor(breaking),
      });
      expect(error).toBeUndefined();
      expect(answer?.text).toMatch(/^Half an\n\n_This answer is incomplete\. The (connection to the )?model/);
      expect(shown).toEqual(["Half an"]);
      expect(answer?.text).not.toContain("planted");
      expect(usage).toHaveLength(1);
      expect(count()).toBe(1);
    },
  );

  test.each<[Breaking, RegExp]>([
    ["it sends a page", /interrupted|no_answer/],
    ["it never answers", /silent/],
  ])("%s: fails with an explanation, after a second attempt if that may help", async (breaking, reason) => {
    const { url, count } = await startBreakingServer(breaking);
    const { error, answer } = await askAssistant(await wireModels[provider](url), { limits: limitsFor(breaking) });
    expect(answer).toBeUndefined();
    expect(error).toMatchObject({ reason: expect.stringMatching(reason) as string });
    expect(String(error)).not.toContain("planted");
    expect(breaking === "it never answers" ? count() : 2).toBe(2);
  });

  test("a stopped turn closes the connection to the provider, and counts what was sent", async () => {
    const { url, closed } = await startBreakingServer("it falls silent");
    const controller = new AbortController();
    const reason = new Error("canceled");
    const onText = (): void => controller.abort(reason);
    const { error, usage } = await askAssistant(await wireModels[provider](url), { signal: controller.signal, onText });
    expect(error).toBe(reason);
    expect(usage[0]).toMatchObject({ estimated: true, output_tokens: 2 });
    await closed;
  });
});

describe.skipIf(!isLive)("the configured model, skipped unless LIVE_MODEL_TEST=1", () => {
  liveCases(openConfigured);
});

// The cases of LIVE_MODEL_TEST=1, which rarely runs, on the recorded model of `pnpm demo:model`.
describe.each(wireProviders)("%s", (provider) => {
  liveCases(async () => {
    const mock = await LLMock.create({ port: 0, chunkSize: 8, latency: 2 });
    onTestFinished(() => mock.stop());
    mock.loadFixtureFile(fixtures);
    return wireModels[provider](mock.url);
  });
});
