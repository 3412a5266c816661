import { QuestionError } from "../api/ask-agent.ts";
import { defineCommand, exitCodes, jsonOption, type Command, type ExitCode } from "../arguments/command.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { harmless, harmlessJson, harmlessLine } from "../output/harmless.ts";
import { questionProblem } from "../output/question-problem.ts";
import type { Session } from "../session.ts";
import { unknownAgent } from "./near-agents.ts";

export const askCommand: Command = defineCommand({
  name: "ask",
  summary: "Asks an agent through the zone and prints its answer.",
  operands: "<agent> <question>",
  count: [2, 2],
  options: {
    context: { type: "string", value: "<id>", help: "any id you choose; the same id continues the conversation" },
    json: { ...jsonOption, help: "print the whole result as JSON" },
  },
  examples: [
    ['crosszone ask counter "How many words?"', "a single question"],
    ['crosszone ask counter "And now?" --context c1', "a question in a conversation"],
  ],
  run: async ({ values: { context, json }, operands: [agent = "", text = ""] }, session) => {
    if (context !== undefined && !/^[!-~]{1,128}$/.test(context))
      throw new UsageError("--context must be 1 to 128 printable ASCII characters without spaces.");
    return ask(session, { agent, text, contextId: context, json: json === true });
  },
});

interface AskedQuestion {
  readonly agent: string;
  readonly text: string;
  readonly contextId?: string | undefined;
  readonly json: boolean;
}

async function ask(session: Session, { json, ...question }: AskedQuestion): Promise<ExitCode> {
  const { api, stdout, stderr, onInterrupt } = session;
  const { askAgent, agents } = api();
  const left = new AbortController();
  const stopListening = onInterrupt(() => left.abort());
  try {
    const onProgress = (says: string): void => void stderr.write(`${harmlessLine(says)}\n`);
    const answer = await askAgent({ ...question, onProgress, signal: left.signal });
    stdout.write(`${json ? harmlessJson(answer) : harmless(answer.response_text)}\n`);
    for (const { name, size } of json ? [] : (answer.files ?? []))
      stderr.write(`File: ${harmlessLine(name)} (${size} bytes)\n`);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof QuestionError)) throw error;
    if (error.data.kind === "unknown_agent") stderr.write(`${harmless(await unknownAgent(agents, question.agent))}\n`);
    else stderr.write(questionProblem(error));
    return error.data.kind === "unknown_agent" || error.data.kind === "unauthorized"
      ? exitCodes.refused
      : exitCodes.failed;
  } finally {
    stopListening();
  }
}
