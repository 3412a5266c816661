import type { Message } from "@crosszone/dev-slack";
import type { Agent } from "@crosszone/execution";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rejectStreams, shownText } from "../harness/slack-actions.ts";
import { type Crosszone, startCrosszone, stateOf } from "../harness/start-crosszone.ts";

/** The text that the agent says, and how much of it before its end. */
let said = "";
let before = 0;
const speaker: Agent = {
  name: "speaker",
  description: "",
  skills: [],
  run: async (_input, { preview }) => {
    if (before > 0) preview?.text(said.slice(0, before));
    return { response_text: said };
  },
};

/** Asks for a text; resolves with the messages of its answer. */
async function answered(zones: Crosszone, text: string, { preview = 0, channel = "" } = {}): Promise<Message[]> {
  [said, before] = [text, preview];
  const root = zones.write({ text: channel === "" ? "go" : "@Crosszone go", ...(channel !== "" && { channel }) });
  const { metadata } = await zones.answerTo(root);
  const parts = Number(metadata?.event_payload["parts"] ?? 1);
  const states = (): unknown[] =>
    zones
      .replies(root)
      .filter(({ files }) => files === undefined)
      .map(stateOf);
  await expect.poll(states, { timeout: 5_000 }).toEqual(Array.from({ length: parts }, () => "done"));
  return zones.replies(root);
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the first word of a text that is not in another one, in order. */
function missingWord(text: string, within: string): string | undefined {
  const words = wordsOf(within);
  let at = 0;
  return wordsOf(text).find((word) => {
    while (at < words.length && words[at] !== word) at += 1;
    at += 1;
    return at > words.length;
  });
}

const word = fc.constantFrom(
  "alpha",
  "beta7",
  "gamma",
  "漢字かな",
  "👩🏽‍🚀",
  "x".repeat(700),
  "`code`",
  "**bold**",
  "[a](https://a.example)",
);
const sentence = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(" "));
const rows = (columns: number, count: number, cell: string): string =>
  ["head", "---", ...Array.from({ length: count }, (_none, at) => `${cell} ${at}`)]
    .map((text) => `|${Array.from({ length: columns }, () => ` ${text} `).join("|")}|`)
    .join("\n");
const block = fc.oneof(
  sentence,
  sentence.map((text) => `# ${text.slice(0, 90)}`),
  fc.constant("---"),
  sentence.map((text) => `- ${text}\n- one\n  - two`),
  sentence.map((text) => `> ${text}`),
  fc
    .array(word, { maxLength: 60 })
    .map((words) => `\`\`\`ts\n${words.join("\n").replaceAll("`", "")}\n<!here> @Channel("x")\n\`\`\``),
  fc
    .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 0, max: 130 }), word)
    .map(([columns, count, cell]) => rows(columns, count, cell)),
  fc.constantFrom(
    "one<br>two",
    "<details><summary>More</summary>\n\nHidden\n</details>",
    "<kbd>Ctrl</kbd>",
    "&lt;b&gt; & c",
  ),
);
const document = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 30 }), fc.constantFrom(1, 1, 2, 5))
  .map(([blocks, repeats]) =>
    Array.from({ length: repeats }, () => blocks)
      .flat()
      .join("\n\n")
      .slice(0, 200_000),
  )
  .filter((text) => text.length > 1_000);

test(
  "W1, W10 property: Slack takes the answer whatever its Markdown, with every word in order",
  { timeout: 120_000 },
  async () => {
    const zones = await startCrosszone({ agents: [speaker], env: { MESSAGES_PER_MINUTE: "1000" } });
    await fc.assert(
      fc.asyncProperty(document, fc.boolean(), async (text, isStreamed) => {
        const messages = await answered(zones, text, { preview: isStreamed ? text.length >> 1 : 0 });
        const [file] = messages.flatMap(({ files = [] }) => files);
        const shown = messages.map(shownText).join("\n");
        const whole = file === undefined ? shown : zones.slack.control.file(file.id).bytes.toString();
        const plain = text.replaceAll(/<\/?(?:br|details|summary)>/g, " ");
        expect(missingWord(plain, whole)).toBeUndefined();
        const code = text.match(/(?<=```ts\n)[^`]{1,200}\n(?=```)/g) ?? [];
        expect(code.filter((one) => !whole.includes(one))).toEqual([]);
      }),
      { numRuns: 30, endOnFailure: true },
    );
    expect(zones.log.filter(({ event }) => event === "answer_refused")).toEqual([]);
  },
);

test("W1: an answer with 55 small tables, or 60 headings, arrives", async () => {
  const zones = await startCrosszone({ agents: [speaker] });
  for (const text of [
    Array.from({ length: 55 }, (_none, at) => `**Item ${at}**\n\n| Key | Value |\n|---|---|\n| id | ${at} |`).join(
      "\n\n",
    ),
    Array.from({ length: 60 }, (_none, at) => `## Step ${at}\n\nDo it.`).join("\n\n"),
  ]) {
    const messages = await answered(zones, text, { preview: 2_000 });
    expect(messages.map(shownText).join("\n\n").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
    expect(new Set(messages.map(stateOf))).toEqual(new Set(["done"]));
  }
});

test("W3: the answer to a deleted question does not stay at the root of its channel", async () => {
  const zones = await startCrosszone({ agents: [speaker] });
  rejectStreams(zones);
  said = "secret answer";
  const { control } = zones.slack;
  const { channel, ts, user } = zones.write({ channel: "general", text: "@Crosszone secret question" });
  // The event of the deletion comes too late to help.
  control.setDelivery({ delay_ms: 5_000 });
  control.deleteMessage({ channel, ts, user });
  await expect.poll(() => zones.log.filter(({ outcome }) => outcome === "withdrawn").length).toBeGreaterThan(0);
  expect(control.messages({ channel }).filter(({ text }) => /secret|Working/.test(text))).toEqual([]);
});

test("W9: people whom an answer does not notify have names", async () => {
  const zones = await startCrosszone({ agents: [speaker] });
  const [message] = await answered(zones, "Ask in <#C0GENERAL01>; Bob is <@U0BOB000001>.", { channel: "general" });
  expect(shownText(message!)).toMatch(/^Ask in <#C0GENERAL01>; Bob is Bob [\w ]+\.$/);
});

test("W13: a locked thread's answer reaches the person, once", async () => {
  const zones = await startCrosszone({ agents: [speaker] });
  const { control } = zones.slack;
  for (const method of ["chat.startStream", "chat.postMessage"])
    control.setFault({
      method,
      kind: "error",
      error: "restricted_action_thread_locked",
      times: method.endsWith("Stream") ? 1 : 2,
    });
  said = "The answer.";
  const { ts } = zones.write({ channel: "general", text: "@Crosszone go" });
  const direct = await control.waitForMessage((message) => shownText(message).includes("The answer."));
  expect(shownText(direct)).toMatch(/^_I can’t answer in <#C0GENERAL01>, because the thread is locked/);
  await control.idle();
  expect(direct.channel).toMatch(/^D/);
  expect(zones.log.filter(({ event }) => event === "answer_redirected")).toHaveLength(1);
  expect(zones.replies({ channel: "C0GENERAL01", ts } as Message)).toEqual([]);
});
