// inputs: tests/full/interop/** packages/{a2a,agent-bridge,agent-calls,contracts,jsonrpc}/**
import { type ChatCompletionRequest, type ChatMessage, LLMock } from "@copilotkit/aimock";
import type { PostMessage } from "@crosszone/dev-slack";
import { expect, onTestFinished, test, vi } from "vitest";
import { noteWorksWith } from "../../external/works-with.ts";
import { frameworks, startFramework } from "./start-sdk-agent.ts";
import { openThread, type Thread } from "./start-sdk-zones.ts";
import { startWithAgents } from "../../harness/start-crosszone.ts";

/** The first test that uses a framework installs it. */
vi.setConfig({ testTimeout: 240_000 });

/** Its pieces of five characters repeat, end in line breaks, and are cut within words. */
const replyTo = (words: string): string =>
  `tick tick tick tick, said the clock of "${words}"\n\n1. **first** line, \`code\` and a ü\n2. second line\n\nThe end: 42 %.`;

const first = "Which clock is this?";
const second = 'And {"which":1} is "that"?';
const third = "What does the note say?";
const fourth = "What does heliotrope mean?";
/** What the tool of each agent tells its model. */
const told = "heliotrope means forty-two";
const note = "The note says heliotrope.\n";

async function startModel(): Promise<LLMock> {
  const model = await LLMock.create({ port: 0, chunkSize: 5, latency: 5 });
  onTestFinished(() => model.stop());
  const latest =
    (words: string) =>
    ({ messages }: ChatCompletionRequest) =>
      textsOf(messages).join("\n").includes(words);
  const isTold = ({ messages }: ChatCompletionRequest): boolean => isIn(JSON.stringify(messages), told);
  model.on({ predicate: isTold }, { content: replyTo(fourth) });
  model.on({ predicate: latest(fourth) }, { toolCalls: [{ name: "look_up", arguments: '{"word":"heliotrope"}' }] });
  for (const words of [third, second, first]) model.on({ predicate: latest(words) }, { content: replyTo(words) });
  return model;
}

/** Returns the texts that a model has not answered yet, in the order in which the person wrote them. */
function textsOf(messages: readonly ChatMessage[]): string[] {
  const latest = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  return latest
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => (typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "")))
    .filter((text) => text !== "");
}

/** Whether JSON has this content, as text or as a file. */
const isIn = (json: string, content: string): boolean =>
  json.includes(JSON.stringify(content).slice(1, -1)) || json.includes(Buffer.from(content).toString("base64"));

interface Exchange {
  /** The final answer in Slack. */
  readonly answer: string;
  /** The texts of the person that each call of the model got. */
  readonly received: readonly (readonly string[])[];
}

/** The soft checks of a framework. */
const checks = 8;

test.for(frameworks)(
  "I9, I11, I12: the whole answer of $title reaches Slack; its model gets exactly what the person typed, once, and calls a tool; a file is read or reported as not sent",
  async (framework, { task }) => {
    const model = await startModel();
    const [url, zones] = await Promise.all([
      startFramework(framework, model.url),
      startWithAgents({ env: { AGENT_ORIGINS: "http://127.0.0.1:*" } }),
    ]);
    const added = await zones.cli("agents", "add", "peer", url, "--ask", first);
    expect(added).toMatchObject({ code: 0, err: "" });
    expect(added.out).toContain("It is healthy");
    expect(added.out).toContain(`Answer: ${replyTo(first)}`);
    model.clearRequests();

    const prompt = framework.promptFor ?? ((words) => words);
    const requests = (): readonly (readonly ChatMessage[])[] =>
      model.getRequests().map(({ body }) => (body as ChatCompletionRequest).messages);
    const ask = async (thread: Thread, text: string, files?: PostMessage["files"]): Promise<Exchange> => {
      const before = requests().length;
      const said = await thread.say(text, files);
      // A streamed answer names its agent in the title of the plan, another one in its first line.
      const answer = said.replace(/^\*\*peer\*\*\n\n/, "");
      return { answer, received: requests().slice(before).map(textsOf) };
    };
    const thread = openThread(zones.slack.control, 60_000);
    for (const [text, words] of [[`ask peer: ${first}`, first] as const, [second, second] as const])
      expect.soft(await ask(thread, text)).toEqual({ answer: replyTo(words), received: [[prompt(words)]] });

    const called = await ask(openThread(zones.slack.control, 60_000), `ask peer: ${fourth}`);
    expect.soft(called).toEqual({ answer: replyTo(fourth), received: [[prompt(fourth)], []] });
    expect.soft(JSON.stringify(requests().at(-1))).toContain(told);

    const files = [{ name: "note.txt", mimetype: "text/plain", content: note }];
    const { answer, received } = await ask(openThread(zones.slack.control, 60_000), `ask peer: ${third}`, files);
    const notSent = "\n\nNot sent to peer: note.txt";
    const [shown, end] = answer.split(notSent);
    expect.soft(shown).toBe(replyTo(third));
    // A framework can give its model the content of a file as a text of its own.
    expect.soft(received.map((texts) => texts.filter((text) => !text.includes(note)))).toEqual([[prompt(third)]]);
    expect.soft(requests()).toHaveLength(5);
    const isRead = isIn(JSON.stringify(requests()), note);
    expect
      .soft({ isRead, isNotSent: end !== undefined })
      .toEqual(framework.ignoresFiles ? { isRead: false, isNotSent: false } : { isRead, isNotSent: !isRead });

    const [, name = "", version = "", more = ""] = /^(.*?) (\d\S*)(.*)$/.exec(framework.title) ?? [];
    const passed = checks - (task.result?.errors?.length ?? 0);
    noteWorksWith({
      name: name + more,
      version,
      as: "framework",
      passed,
      of: checks,
      ...(framework.ignoresFiles && { note: "Its model gets nothing of a file." }),
    });
  },
);
