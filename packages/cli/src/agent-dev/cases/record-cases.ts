import { recordedAnswer, expectationsOf, writeCassette } from "../cassette/write-cassette.ts";
import type { CassetteFile } from "../cassette/read-cassettes.ts";
import type { ModelRecorder } from "../model/record-models.ts";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import { converse } from "../talk/converse.ts";
import type { FoundAgent } from "../talk/find-agent.ts";
import type { CaseResult } from "./run-cases.ts";

export interface RecordOptions {
  readonly agent: FoundAgent;
  readonly files: readonly CassetteFile[];
  readonly models: ModelRecorder;
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
  readonly onResult: (result: CaseResult) => void;
}

/**
 * Sends the messages of each case to the agent and its real model, one case after the other, and writes the answer and the model exchanges
 * into its cassette. An expected exact text is replaced as well; other judgments are kept. An answer without an end is not written.
 */
export async function recordCases(options: RecordOptions): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const file of options.files) {
    const result = await recordCase(file, options);
    results.push(result);
    options.onResult(result);
  }
  return results;
}

async function recordCase(file: CassetteFile, options: RecordOptions): Promise<CaseResult> {
  const { agent, models, secrets, timeoutMs } = options;
  const { path, cassette } = file;
  const started = performance.now();
  const first = models.exchanges.length;
  const conversation = converse(agent, { timeoutMs });
  let answer: AgentAnswer = { state: "error", text: "", data: [], files: [] };
  for (const message of cassette.messages) answer = await conversation.say(message);
  const duration_ms = Math.round(performance.now() - started);
  if (answer.state === "error")
    return { file, outcome: "failed", lines: [`not recorded: ${answer.text}`], duration_ms, answer };
  const { wire: _, expect, ...kept } = cassette;
  const exact = expectationsOf(answer).find((judgment) => "exact" in judgment);
  const changed = {
    ...kept,
    recorded_at: new Date().toISOString(),
    answer: recordedAnswer(answer),
    expect: expect.map((judgment) => ("exact" in judgment && exact !== undefined ? exact : judgment)),
    model: models.exchanges.slice(first),
  };
  writeCassette(path, changed, secrets);
  return { file, outcome: "passed", lines: [], duration_ms, answer };
}
