import { AgentFailure } from "@crosszone/agent-bridge";
import type { AgentSettings } from "@crosszone/contracts";
import { failed, passed, type DoctorRow, skipped, warned } from "@crosszone/ops/doctor";
import { type Environment, isReadableOnTheWay } from "@crosszone/service-kit";
import { FileProblemsError } from "@crosszone/service-kit/yaml";
import { readWorkflowFiles, type ReadWorkflowOptions, validateWorkflow } from "@crosszone/workflow";
import type { AssistantSettings } from "../../agents/assistant/assistant-settings.ts";
import { openExecutionDatabase, openJobs } from "../../store/open-execution-database.ts";
import type { ExecutionConfig } from "../config/variables.ts";
import { modelVariables } from "../config/variables.ts";
import type { ReadSection } from "../config/sections.ts";
import { openAgentAccess } from "../open-agents.ts";
import { connectGateway } from "../open-gateway.ts";
import type { DeclaredMcpServer } from "../../agents/assistant/mcp-settings.ts";
import { openMcpAccess } from "../open-mcp.ts";
import { connectModels } from "../open-zone-agents.ts";

/** Returns the rows of what answers questions: models, tools, agents, workflows, and Kafka before the agents. */
export function agentRows(config: ExecutionConfig, env: Environment, section: ReadSection): DoctorRow[] {
  const { WORKFLOWS_DIR } = config;
  const declared = async (): Promise<readonly AgentSettings[]> => (await section("agents")) ?? [];
  return [
    {
      name: "model",
      variables: Object.keys(modelVariables),
      probe: async () => tryModels(config, await section("assistant")),
    },
    {
      name: "MCP servers",
      variables: ["AGENT_SECRETS_DIR"],
      probe: async (signal) => tryMcp(config, env, await section("mcp"), signal),
      advice: "The assistant answers without their tools until the servers are back.",
    },
    {
      name: "agents",
      variables: ["AGENT_ORIGINS", "AGENT_SECRETS_DIR", "AGENT_SECRETS_ORIGINS"],
      probe: async () => trySecrets(await declared(), config, env),
    },
    {
      name: "workflows",
      variables: ["WORKFLOWS_DIR"],
      probe: async () => {
        if (WORKFLOWS_DIR === undefined) return skipped("WORKFLOWS_DIR is not set: workflows are created over the API");
        const files = await readWorkflowFiles(WORKFLOWS_DIR);
        const problems = (options: ReadWorkflowOptions) =>
          new FileProblemsError(files.flatMap((file) => validateWorkflow(file.value, options).map(file.problemAt)));
        const wrong = problems({});
        if (wrong.problems.length > 0) throw wrong;
        const strange = problems({ agents: (await declared()).map(({ name }) => name) });
        if (strange.problems.length === 0) return passed(`${files.length}; the settings declare all their agents`);
        const todo = "The zone activates a new version only when all its agents exist. Register missing agents first.";
        return warned("they name agents that the settings do not declare", ...strange.message.split("\n"), todo);
      },
    },
    {
      name: "kafka",
      variables: ["KAFKA_BROKERS", "KAFKA_PROPERTIES_FILE", "KAFKA_TOPIC_PREFIX"],
      probe: () =>
        config.KAFKA_BROKERS === undefined
          ? skipped("KAFKA_BROKERS is not set: agent calls stay in the database")
          : tryKafka(config, config.KAFKA_BROKERS),
    },
  ];
}

/** Connects to Kafka as the zone does, with a temporary database. Creates no topics. */
async function tryKafka(config: ExecutionConfig, brokers: readonly string[]) {
  const database = await openExecutionDatabase({ url: "sqlite::memory:" });
  const jobs = openJobs(database, { leaseMs: 10_000 });
  const says = `${brokers.join(", ")}: connected`;
  try {
    const gateway = await connectGateway(config, { database, jobs, vault: undefined, createsTopics: false });
    const problem = await gateway.ping();
    await gateway.close();
    return problem === undefined ? passed(`${says}; all topics exist`) : failed(problem);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "MissingTopicsError") throw error;
    return passed(`${says}; the start creates the missing topics`);
  } finally {
    await database.close();
  }
}

/** Asks each model of the variables and of the section `assistant` one short question, which costs a few tokens. */
async function tryModels(config: ExecutionConfig, assistant: AssistantSettings) {
  const models = await connectModels(config, assistant);
  if (models.length === 0)
    return skipped("no language model is connected: set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL");
  const { tryModel } = await import("@crosszone/assistant/runtime");
  const failures = await Promise.all(models.map(async (model) => tryModel(model)));
  const says = models.map(({ label }, at) => label + (failures[at] ? `: ${failures[at].message}` : " answers"));
  const todo = failures.flatMap((failure) => (failure ? (modelAdvice[failure.reason] ?? failure.sentence) : []));
  return todo.length === 0 ? passed(says.join("; ")) : failed(says.join("; "), ...new Set(todo));
}

const modelAdvice: Readonly<Record<string, string>> = {
  invalid_key: "Check the key and its permissions.",
  unknown_model:
    "Check the id in MODEL or in the section assistant: the provider doesn't offer that model to this key.",
  quota: "Raise the account's quota or add credit.",
  unreachable: "Check the base URL, and that this machine can reach it.",
};

/** Lists the tools of the MCP servers as the zone does. Pins nothing. */
async function tryMcp(
  config: ExecutionConfig,
  env: Environment,
  ...[declared, signal]: [readonly DeclaredMcpServer[], AbortSignal]
) {
  if (declared.length === 0) return skipped("the settings have no section mcp");
  const { servers, limits, close } = openMcpAccess(declared, config, env);
  const { listMcpTools } = await import("@crosszone/assistant/mcp");
  const listed = await Promise.allSettled(servers.map((server) => listMcpTools(server, limits, signal)));
  await close();
  const todo: string[] = [];
  const rows = listed.map((list, at) => {
    const name = String(servers[at]?.name);
    if (list.status === "rejected") return `${name}: ${(list.reason as Error).message}`;
    const { tools, leftOut } = list.value;
    todo.push(...leftOut.map((one) => `${name}: ${one.name} is left out: ${one.because}.`));
    return `${name}: ${tools.length} tools${leftOut.length === 0 ? "" : `, ${leftOut.length} left out`}`;
  });
  const says = rows.join("; ");
  if (listed.some(({ status }) => status === "rejected")) return failed(says);
  const clear = servers.filter(({ reach }) => "url" in reach && isReadableOnTheWay(reach.url)).map(({ name }) => name);
  if (clear.length > 0)
    todo.push(`${clear.join(", ")}: http: to another machine. Calls and tokens travel unencrypted. Use https:.`);
  return todo.length === 0 ? passed(says) : warned(says, ...todo);
}

/** Looks up the secrets of agents by their references. */
async function trySecrets(agents: readonly AgentSettings[], config: ExecutionConfig, env: Environment) {
  if (agents.length === 0) return skipped("the settings declare no agents: they are registered over the API");
  const { secrets } = openAgentAccess(config, env);
  const values = agents.flatMap(({ auth }) => Object.values(auth ?? {}).map(String));
  const references = [...new Set(values.filter((value) => /^(env|file):/.test(value)))];
  const read = await Promise.allSettled(references.map((reference) => secrets.read(reference)));
  const wrong = read.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  const unknown = wrong.find((error) => !(error instanceof AgentFailure));
  if (unknown !== undefined) throw unknown;
  if (wrong.length === 0) return passed(agents.map(({ name }) => name).join(", "));
  return failed(
    `${wrong.length} of ${references.length} secrets can't be read`,
    ...wrong.map((error) => (error as Error).message),
  );
}
