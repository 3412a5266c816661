import { UsageError } from "../../arguments/usage-error.ts";
import { exitCodes, type ExitCode } from "../../arguments/command.ts";
import { harmless, harmlessJson } from "../../output/harmless.ts";
import { writeReport } from "../../output/write-report.ts";
import type { Session } from "../../session.ts";
import { readCassettes } from "../cassette/read-cassettes.ts";
import { judgeOf } from "../cassette/rubric.ts";
import { modelBases, modelEnvironment, replayKeys } from "../model/model-bases.ts";
import { secretsIn } from "../model/model-exchange.ts";
import { recordModels, type ModelRecorder } from "../model/record-models.ts";
import { replayModels, type ModelReplayer } from "../model/replay-models.ts";
import { findAgent } from "../talk/find-agent.ts";
import { isUrl, openAgent } from "./open-agent.ts";
import { recordCases } from "./record-cases.ts";
import { countsOf, junitOf, reportText } from "./report.ts";
import { runCases, type CaseResult } from "./run-cases.ts";

/** The values of the command line. */
export interface TestRequest {
  readonly places: readonly string[];
  readonly agent: string;
  readonly command?: string | undefined;
  readonly port?: number | undefined;
  readonly protocol?: string | undefined;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly record: boolean;
  readonly requireRubric: boolean;
  readonly json: boolean;
  readonly junit?: string | undefined;
}

/** Runs cassettes against an agent. Resolves with the exit code; throws a `UsageError` for cassettes or agents that can't be used. */
export async function testAgent(request: TestRequest, session: Session): Promise<ExitCode> {
  const { env, stderr } = session;
  const files = readCassettes(request.places);
  const rubric = judgeOf(env);
  if (isUrl(request.agent) && request.record)
    throw new UsageError(
      "--record needs the agent's file: the model requests of an agent elsewhere can't be recorded.",
    );
  const recorder = request.record ? await recordModels({ bases: modelBases(env), secrets: secretsIn(env) }) : undefined;
  const replayer = request.record || isUrl(request.agent) ? undefined : await replayModels();
  const models: ModelRecorder | ModelReplayer | undefined = recorder ?? replayer;
  const said: string[] = [];
  const agent = await openAgent({
    target: request.agent,
    command: request.command,
    port: request.port,
    env,
    modelEnv: {
      ...(models && modelEnvironment(models.url)),
      ...(replayer && replayKeys),
    },
    onLine: (line) => void said.push(line),
    onCrash: (problem) => void stderr.write(`${harmless(problem)}\n`),
  }).catch(async (error: unknown) => {
    await models?.close();
    throw error;
  });
  const stopListening = session.onStop(() => void agent.stop());
  try {
    const state = await (agent.restart ?? agent.state)();
    if ("problem" in state) {
      for (const line of said) stderr.write(`  ${harmless(line)}\n`);
      stderr.write(`${harmless(state.problem)}\n`);
      return exitCodes.failed;
    }
    const found = await findAgent(`${state.url}${agent.path}`, request.protocol);
    const started = performance.now();
    const { timeoutMs, requireRubric, concurrency } = request;
    const onResult = ({ outcome }: CaseResult): void => {
      if (session.isLive) stderr.write(outcome === "failed" ? "✗" : ".");
    };
    const common = { agent: found, files, timeoutMs, onResult };
    const results = recorder
      ? await recordCases({ ...common, models: recorder, secrets: secretsIn(env) })
      : await runCases({ ...common, models: replayer, rubric, requireRubric, concurrency });
    if (session.isLive) stderr.write("\n");
    return await tell(results, { request, session, durationMs: Math.round(performance.now() - started) });
  } finally {
    stopListening();
    await agent.stop();
    await models?.close();
  }
}

interface Told {
  readonly request: TestRequest;
  readonly session: Session;
  readonly durationMs: number;
}

async function tell(results: readonly CaseResult[], { request, session, durationMs }: Told): Promise<ExitCode> {
  const { stdout, stderr } = session;
  const { passed, failed, skipped } = countsOf(results);
  const cases = results.map(({ file, outcome, lines, duration_ms, answer }) => ({
    name: file.cassette.name,
    path: file.path,
    outcome,
    duration_ms,
    lines,
    answer,
  }));
  if (request.json) stdout.write(`${harmlessJson({ passed, failed, skipped, duration_ms: durationMs, cases })}\n`);
  else stdout.write(reportText(results));
  if (request.junit !== undefined) await writeReport("--junit", request.junit, junitOf(results, durationMs));
  const word = request.record ? "recorded" : "passed";
  stderr.write(`${passed} ${word}, ${failed} failed, ${skipped} skipped in ${(durationMs / 1_000).toFixed(1)} s\n`);
  if (skipped > 0)
    stderr.write(
      "Rubrics were not judged: no language model is configured. Set CROSSZONE_JUDGE_MODEL and its key, or use --require-rubric to fail instead.\n",
    );
  return failed > 0 ? exitCodes.failed : exitCodes.done;
}
