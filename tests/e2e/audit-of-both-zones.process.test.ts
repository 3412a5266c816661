// suite: rest
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test, vi } from "vitest";
import { notices } from "../harness/slack-actions.ts";
import { runProgram } from "../harness/run-program.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

test("V2: a denied question is in the export without its words, and one changed byte of it shows", async () => {
  const { slack, write, env, answerTo } = await startWithAgents({ view: true });
  const cli = (...words: readonly string[]) => runProgram("tools/cli/src/main.ts", env.both, "audit", ...words);
  await answerTo(write({ text: "an allowed question" }));
  write({ user: "gus", text: "what is the secret plan?" });
  const told = await vi.waitUntil(() => notices({ slack })[0]);
  const reference = /Reference: ([\da-f-]+)/.exec(told.text)?.[1] ?? "";
  // The log is signed each minute.
  const exported = await vi.waitUntil(
    async () => {
      const { out } = await cli("export", "--zone", "verification");
      return out.includes(reference) && out;
    },
    { timeout: 70_000, interval: 5_000 },
  );
  expect(exported).not.toContain("secret plan");
  const key = (await cli("key", "--zone", "verification")).out.trim();
  const verify = (text: string) => cli("verify", tempFile("audit.jsonl", text), "--key", key);
  expect(await verify(exported)).toMatchObject({ code: 0, out: expect.stringContaining("is intact") as string });
  const changed = await verify(exported.replace('"reason":"guest"', '"reason":"guesT"'));
  expect(changed).toMatchObject({ code: 1, out: expect.stringMatching(/^CHANGED at event \d+/) as string });
});
