// suite: rest
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test, vi } from "vitest";
import { commandsOf, record, replayed } from "../harness/run-transcript.ts";
import { adminToken } from "../harness/runs-api.ts";
import { notices } from "../harness/slack-actions.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

const pagePath = resolve(import.meta.dirname, "../../docs/operations.md");
const page = readFileSync(pagePath, "utf8");
const [sectionAt, nextAt] = [page.indexOf("## Find a question"), page.indexOf("## Follow one message")];
const section = page.slice(sectionAt, nextAt);
const [, shownReference = ""] = /crosszone find (\S+)/.exec(section) ?? [];

const referenceIn = (text: string): string => /Reference: ([\da-f-]+)/.exec(text)?.[1] ?? "";

test("the reference under a denial led nowhere: the same command shows the rule that denied it", async () => {
  const { slack, write, find } = await startWithAgents({ view: true });
  write({ user: "gus", text: "what is the secret plan?" });
  const told = await vi.waitUntil(() => notices({ slack })[0]);
  const reference = referenceIn(told.text);
  const shown = await vi.waitUntil(async () => {
    const end = await find(reference);
    return end.code === 0 && end;
  });
  expect(shown.out).toMatch(/received +from \S.* in a direct message/);
  expect(shown.out).toMatch(/denied +by the policy's rule no_guests: guest\n/);
  expect(shown.err).toBe("");
});

test("Z12, Z13: the reference of an error in Slack shows its way through both zones, and the commands print the documented output", async () => {
  const { agents, ask, find, env } = await startWithAgents({ view: true });
  agents.control("proofreader").fault = "server_error";
  const reference = referenceIn(await ask("proofreader", "This is is a test."));
  const shown = await vi.waitUntil(async () => {
    const end = await find(reference);
    return /^\+\S+ +failed/m.test(end.out) && end;
  });
  const stages = [...shown.out.matchAll(/^\+\S+ +(\w+)/gm)].map(([, stage]) => stage);
  expect(stages).toEqual(["received", "judged", "asked", "tried", "ended", "posted", "failed"]);
  const life = JSON.parse((await find(reference, "--json")).out) as { message: object; tasks: object[] };
  expect(life).toMatchObject({
    message: { state: "answered", attempts: 1 },
    tasks: [{ task: { correlation_id: reference } }],
  });

  // On a busy machine it can take ten seconds or more, which are printed without decimals.
  const real = (await replayed(section, { [shownReference]: reference }, env.both))
    .replaceAll(/\b\d+s\b/g, "…s")
    .replaceAll(/(…s|AFTER|AGE) +/g, "$1  ")
    .replaceAll(/thread \d+\.\d+/g, "thread …");
  const how = record(pagePath, page.slice(0, sectionAt) + real + page.slice(nextAt));
  expect(commandsOf(section)).toHaveLength(2);
  expect((shown.out + real).replaceAll(/^question .*$/gm, "")).not.toContain("is is");
  expect(section, how).toBe(real);
});

test("the reference of a failed model call finds its provider, HTTP status, words, attempts and tokens, which Slack does not show", async () => {
  const model = await LLMock.create({ port: 0 });
  onTestFinished(() => model.stop());
  model.on({}, { error: { message: 'Down after "This is secret."', type: "server_error" }, status: 500 });
  const env = { OPENAI_BASE_URL: `${model.url}/v1`, MODEL: "openai/demo" };
  const zones = await startWithAgents({ env: { ...env, ADMIN_TOKENS: adminToken } });
  const { text } = await zones.answerTo(zones.write({ text: "This is secret." }));
  expect(text).not.toMatch(/status 500|Down|attempts|openai/);
  const reference = referenceIn(text);
  const shown = await replayed(
    `$ ./crosszone find ${reference}\n`,
    {},
    { CROSSZONE_URL: zones.url, CROSSZONE_TOKEN: adminToken },
  );
  expect(shown).toMatch(/^error +Agent unavailable \(agent_unavailable, -32010\)$/m);
  expect(shown).toMatch(
    /^detail +\S*demo: unavailable: AI_APICallError \(status 500, retryable[^)]*\): Down after "", 3 attempts, no tokens$/m,
  );
  expect(shown.replaceAll(/^question .*$/gm, "")).not.toContain("secret");
});
