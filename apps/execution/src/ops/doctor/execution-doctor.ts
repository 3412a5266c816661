import { loadAgentsFile } from "@crosszone/agent-bridge";
import { databaseUrlOf, type Environment, isLoopback } from "@crosszone/service-kit";
import {
  type Check,
  checkConfiguration,
  checkMemory,
  checkOpenFiles,
  checkTlsVerification,
  checkTraces,
  databaseChecks,
  judgeFit,
  probe,
  readSystemLimits,
  type SectionPlan,
} from "@crosszone/ops/doctor";
import { inspectDatabase, networkOf } from "@crosszone/sql";
import { executionConfig, type ExecutionConfig, loadExecutionConfig } from "../../config/config.ts";
import { modelVariables } from "../../config/model-variables.ts";
import { executionMigrations } from "../../database/migrations.ts";
import { chooseListening, hostProfiles, type ListeningChoice } from "../../http/host-profile.ts";
import { connectModels } from "../../roles/connect-model.ts";
import { openAgentAccess } from "../../roles/open-agent-registry.ts";
import { callerChecks } from "./caller-checks.ts";
import { agentsFileChecks } from "./check-agents-file.ts";
import { checkAgents, listAgents } from "./check-agents.ts";
import { checkKafkaAnswers, tryKafka } from "./check-kafka-answers.ts";
import { mcpChecks } from "./check-mcp.ts";
import { checkModel } from "./check-model.ts";
import { checkPort, findPortHolder } from "./check-port.ts";
import { fileChecks } from "./file-checks.ts";
import { checkWorkflowFiles } from "./check-workflow-files.ts";

const reads = ["SYNC_WINDOW_MS", "MAX_WAIT_MS", "TASK_DEADLINE", "TASK_RETENTION"] as const;

/** Settings of this zone that depend on each other, in milliseconds. */
type TaskTimes = Readonly<Record<(typeof reads)[number], number>>;

/** Checks that the zone's time settings are consistent. */
export function checkTaskTimes(times: TaskTimes): Check {
  const { SYNC_WINDOW_MS: sync, MAX_WAIT_MS: wait, TASK_DEADLINE: deadline, TASK_RETENTION: retention } = times;
  return {
    name: "limits",
    reads,
    run: () =>
      judgeFit(`tasks time out after ${deadline} ms and are kept for ${retention} ms`, [
        [
          sync >= deadline,
          `TASK_DEADLINE is not above ${sync} ms, the time that a request waits for its answer. Raise it.`,
        ],
        [
          retention < 4 * wait,
          "TASK_RETENTION is shorter than a few polls: tasks are deleted before callers fetch their results. Raise it.",
        ],
      ]),
  };
}

/** Returns every check of the execution zone. Accepts a configuration with any mistakes. */
export function executionDoctor(env: Environment): SectionPlan {
  const { check, values, files, skip } = checkConfiguration(executionConfig, loadExecutionConfig, env);
  // A check names the variables it reads. It doesn't run when one of them is missing here.
  const config = values as ExecutionConfig;
  return {
    title: "Execution zone",
    skip,
    checks: [
      check,
      checkPort(() => listeningOf(config), findPortHolder),
      ...callerChecks(config, files),
      checkAgents(() => listAgents(config.AGENT_THREADS)),
      checkModel(Object.keys(modelVariables), {
        connect: () => connectModels(config),
        tryModel: async (model) => (await import("@crosszone/assistant/runtime")).tryModel(model),
      }),
      ...mcpChecks(config, env),
      ...agentsFileChecks(config.AGENTS_FILE, async () => openAgentAccess(config, env)),
      checkWorkflowFiles(config, () => declaredAgents(config, env)),
      checkKafkaAnswers(config.KAFKA_BROKERS, async () => tryKafka(config)),
      checkTaskTimes(config),
      ...fileChecks(config),
      ...keptChecks(config),
      ...systemChecks(config, env),
    ],
  };
}

/** The names of the agents in AGENTS_FILE. Another check reports the file's mistakes. */
async function declaredAgents(config: ExecutionConfig, env: Environment): Promise<readonly string[]> {
  if (config.AGENTS_FILE === undefined) return [];
  const { checks } = await openAgentAccess(config, env);
  return (await loadAgentsFile(config.AGENTS_FILE, checks)).map(({ name }) => name);
}

const listeningOf = ({
  HOST_PROFILE,
  EXECUTION_HOST,
  EXECUTION_PORT,
  PORT,
}: ExecutionConfig): ListeningChoice & { rpcPath: string } => ({
  ...chooseListening(HOST_PROFILE, { host: EXECUTION_HOST, port: EXECUTION_PORT, hostPort: PORT }),
  rpcPath: hostProfiles[HOST_PROFILE].rpcPath,
});

/** Checks of the zone's stored data. */
function keptChecks(config: ExecutionConfig): Check[] {
  return databaseChecks({
    url: () => databaseUrlOf(config, "execution"),
    dataDir: config.DATA_DIR,
    listensBeyond: () => !isLoopback(listeningOf(config).host),
    networkOf,
    dataKeys: config.DATA_KEYS,
    inspect: (url) => inspectDatabase({ url, schema: "execution", migrations: executionMigrations }),
  });
}

function systemChecks(config: ExecutionConfig, env: Environment): Check[] {
  const { MAX_RUNNING_TASKS: tasks, MAX_BODY: bytes } = config;
  const limits = readSystemLimits(env);
  return [
    checkTraces({ config, probe }),
    checkTlsVerification(limits),
    checkOpenFiles(limits, { name: "MAX_CONNECTIONS", value: config.MAX_CONNECTIONS }),
    checkMemory(limits, { variables: ["MAX_RUNNING_TASKS"], bytes: tasks * bytes }),
  ];
}
