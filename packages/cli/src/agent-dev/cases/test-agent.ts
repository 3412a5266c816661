import { type ExitCode, exitCodes, UsageError } from "../../program/errors.ts";
import type { Session } from "../../program/session.ts";
import { harmless } from "../../text/terminal-text.ts";
import { readCassettes } from "../cassette/read-cassettes.ts";
import { judgeOf } from "../cassette/rubric.ts";
import { isUrl, openAgent } from "../child/open-agent.ts";
import { modelBases, modelEnvironment, replayKeys, secretsIn } from "../model/model-exchange.ts";
import { type ModelRecorder, recordModels } from "../model/record-models.ts";
import { type ModelReplayer, replayModels } from "../model/replay-models.ts";
import { findAgent } from "../talk/find-agent.ts";
import { recordCases } from "./record-cases.ts";
import { printResults } from "./report.ts";
import { type CaseResult, runCases } from "./run-cases.ts";

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
    return await printResults(results, { request, session, durationMs: Math.round(performance.now() - started) });
  } finally {
    stopListening();
    await agent.stop();
    await models?.close();
  }
}
