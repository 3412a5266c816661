import { setTimeout as delay } from "node:timers/promises";
import type { Cassette } from "../cassette/cassette.ts";
import { judge } from "../cassette/judge.ts";
import type { Judge } from "../cassette/rubric.ts";
import type { CassetteFile } from "../cassette/read-cassettes.ts";
import type { ModelReplayer } from "../model/replay-models.ts";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import { converse } from "../talk/converse.ts";
import type { FoundAgent } from "../talk/find-agent.ts";

/** How a case ended. `skipped` when only rubrics were left unjudged. */
export interface CaseResult {
  readonly file: CassetteFile;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it failed or what was not judged, and what differs. */
  readonly lines: readonly string[];
  readonly duration_ms: number;
  readonly answer: AgentAnswer;
}

export interface CasesOptions {
  readonly agent: FoundAgent;
  readonly files: readonly CassetteFile[];
  /** Undefined when the agent's model requests are not replayed: an agent elsewhere. */
  readonly models: ModelReplayer | undefined;
  readonly rubric: Judge | undefined;
  readonly requireRubric: boolean;
  /** How many cases run at once. */
  readonly concurrency: number;
  /** Timeout of one answer, milliseconds. */
  readonly timeoutMs: number;
  readonly onResult: (result: CaseResult) => void;
}

/**
 * Sends the messages of each case to the agent and judges the last answer. Returns the results in the order of `files`. Cases whose model
 * requests can't be told apart from another's are retried alone.
 */
export async function runCases(options: CasesOptions): Promise<readonly CaseResult[]> {
  const results = new Map<CassetteFile, CaseResult>();
  const end = (result: CaseResult): void => {
    results.set(result.file, result);
    options.onResult(result);
  };
  const unsure: CassetteFile[] = [];
  const queue = options.files.values();
  const work = async (): Promise<void> => {
    for (const file of queue) {
      const result = await runCase(file, options);
      if (result === undefined) unsure.push(file);
      else end(result);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  for (const file of unsure) end((await runCase(file, options)) as CaseResult);
  return options.files.flatMap((file) => results.get(file) ?? []);
}

/** Undefined when the case has to run alone. */
async function runCase(file: CassetteFile, options: CasesOptions): Promise<CaseResult | undefined> {
  const { agent, models, timeoutMs } = options;
  const { cassette } = file;
  const started = performance.now();
  const replayed = models?.join(cassette.model ?? []);
  const conversation = converse(agent, { timeoutMs });
  let answer: AgentAnswer | undefined;
  try {
    for (const message of cassette.messages) {
      answer = await conversation.say(message);
      if (answer.state === "error") break;
    }
    // An agent can ask its model after its answer; a request on its way counts.
    await delay(0);
  } finally {
    if (replayed !== undefined) models?.leave(replayed);
  }
  if (replayed?.isUnsure === true || answer === undefined) return undefined;
  const duration_ms = Math.round(performance.now() - started);
  const unmatched = (replayed?.unmatched ?? []).flatMap((lines) => [
    "A model request equals no recorded one (- recorded, + now):",
    ...lines,
  ]);
  if (unmatched.length > 0) {
    const advice = "If the change is meant, record the case again: crosszone agent test --record";
    return { file, outcome: "failed", lines: [...unmatched, advice], duration_ms, answer };
  }
  return { file, ...(await verdictOf(answer, cassette, options)), duration_ms, answer };
}

type Judged = Pick<CaseResult, "outcome" | "lines">;

async function verdictOf(
  answer: AgentAnswer,
  { expect }: Cassette,
  { rubric, requireRubric }: CasesOptions,
): Promise<Judged> {
  const statesState = expect.some((judgment) => "state" in judgment);
  if (answer.state !== "completed" && !statesState)
    return { outcome: "failed", lines: [`the answer's state is ${answer.state}: ${answer.text}`] };
  const verdicts = await Promise.all(
    expect.map((judgment) =>
      judge(answer, judgment, rubric).catch((error: unknown) => ({
        outcome: "failed" as const,
        lines: [(error as Error).message],
      })),
    ),
  );
  const lines = verdicts.flatMap((verdict) => verdict.lines);
  const isFailed = ({ outcome }: Pick<(typeof verdicts)[number], "outcome">): boolean =>
    outcome === "failed" || (outcome === "skipped" && requireRubric);
  if (verdicts.some(isFailed)) return { outcome: "failed", lines };
  return { outcome: verdicts.some(({ outcome }) => outcome === "skipped") ? "skipped" : "passed", lines };
}
