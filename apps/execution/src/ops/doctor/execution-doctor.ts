import { loadAgentsFile } from "@crosszone/agent-bridge";
import { databaseUrlOf, type Environment, isLoopback, type LoadedConfig } from "@crosszone/service-kit";
import {
  type Check,
  checkConfiguration,
  checkMemory,
  checkOpenFiles,
  checkOpens,
  checkReachable,
  checkTlsVerification,
  checkTraces,
  databaseChecks,
  type Peer,
  reach,
  readSystemLimits,
  type SectionPlan,
  skipped,
} from "@crosszone/service-kit/doctor";
import { inspectDatabase, networkOf } from "@crosszone/sql";
import { authKindOf } from "../../config/check-callers.ts";
import { executionConfig, type ExecutionConfig, loadExecutionConfig } from "../../config/config.ts";
import { mcpVariables } from "../../config/mcp-variables.ts";
import { modelVariables } from "../../config/model-variables.ts";
import { callerVariables } from "../../config/caller-variables.ts";
import { tracingVariables } from "../../config/process-variables.ts";
import { executionMigrations } from "../../database/migrations.ts";
import { chooseListening, hostProfiles, type ListeningChoice } from "../../http/host-profile.ts";
import { connectModels } from "../../roles/connect-model.ts";
import { createAuthenticator, serverTls } from "../../roles/create-authenticator.ts";
import { openAgentAccess } from "../../roles/open-agent-registry.ts";
import { agentsFileChecks } from "./check-agents-file.ts";
import { checkAgents, listAgents } from "./check-agents.ts";
import { checkKafkaAnswers, tryKafka } from "./check-kafka-answers.ts";
import { checkMcp, tryMcp } from "./check-mcp.ts";
import { checkModel } from "./check-model.ts";
import { checkPort, findPortHolder } from "./check-port.ts";
import { checkKeySet, checkSecretStrength, fetchKeySet } from "./caller-checks.ts";
import { checkTaskTimes } from "./check-task-times.ts";
import { askForFile, checkVerificationFiles } from "./check-verification-files.ts";
import { checkWorkflowFiles } from "./check-workflow-files.ts";

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

type SecretFiles = LoadedConfig<typeof executionConfig>["files"];

/** Checks of the callers' credentials and the zone's own. */
function callerChecks(config: ExecutionConfig, files: SecretFiles): Check[] {
  const reads = Object.keys(callerVariables);
  const auth = authKindOf(config);
  const { CALLER_JWT_JWKS_URL: keysUrl } = config;
  const onFileFailure = (): void => undefined;
  const peer = (): Peer => ({ url: keysUrl ?? "", variable: "CALLER_JWT_JWKS_URL", whenDown: "Start the issuer" });
  return [
    checkOpens({ name: "callers", reads }, async () => {
      await createAuthenticator({ values: config, files, onFileFailure });
      return { says: `CALLER_AUTH is ${auth}` };
    }),
    checkOpens({ name: "tls", reads }, () => {
      const material = serverTls(config, onFileFailure)?.material();
      if (material === undefined)
        return { says: "TLS_CERT_FILE is not set: the zone serves HTTP, for a proxy or for this machine" };
      return {
        says: "the zone serves HTTPS",
        certificates: { TLS_CERT_FILE: material.cert, CALLER_TLS_CA_FILE: material.ca },
      };
    }),
    checkSecretStrength({ auth, tokens: config.EXECUTION_TOKEN, secrets: config.EXECUTION_HMAC_SECRET }),
    ...(auth === "jwt" && keysUrl !== undefined
      ? [checkReachable({ name: "keys reachable", reads }, { peer, reach }).check, checkKeySet(keysUrl, fetchKeySet)]
      : []),
  ];
}

/** Checks of the connection to verification, which the zone uses to read files. */
function fileChecks({ VERIFICATION_URL: url }: ExecutionConfig): Check[] {
  const reads = ["VERIFICATION_URL"];
  if (url === undefined)
    return [
      {
        name: "verification reachable",
        reads,
        run: () => skipped("VERIFICATION_URL is not set: agents can't read files"),
      },
    ];
  const peer = () => ({ url, variable: "VERIFICATION_URL", whenDown: "Start the verification zone" });
  return [
    checkReachable({ name: "verification reachable", reads }, { peer, reach }).check,
    checkVerificationFiles(url, askForFile),
  ];
}

/** Empty when no MCP server is configured. */
function mcpChecks(config: Partial<ExecutionConfig>, env: Environment): Check[] {
  if (!config.MCP_SERVERS?.length) return [];
  const reads = [...Object.keys(mcpVariables), "AGENT_SECRETS_DIR", "AGENT_CA_FILE", "MAX_AGENT_RESPONSE"];
  return [checkMcp(reads, tryMcp(config as ExecutionConfig, env))];
}

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
    checkTraces(Object.keys(tracingVariables), { config, reach }),
    checkTlsVerification(limits),
    checkOpenFiles(limits, { name: "MAX_CONNECTIONS", value: config.MAX_CONNECTIONS }),
    checkMemory(limits, { variables: ["MAX_RUNNING_TASKS", "MAX_BODY"], bytes: tasks * bytes }),
  ];
}
