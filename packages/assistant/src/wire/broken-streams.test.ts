import { describe, expect, test } from "vitest";
import { askAssistant, startBreakingServer, wireModels, wireProviders, type Breaking } from "../testing/index.ts";

/** Only a server that is silent on purpose may be taken for silent: the first call loads the provider's code. */
const limitsFor = (breaking: Breaking) => ({ attempts: 2, silenceMs: /silent|never/.test(breaking) ? 500 : 20_000 });
const afterText: Breaking[] = [
  "the socket dies",
  "it ends without a finish",
  "it sends what is no event",
  "it falls silent",
];

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
