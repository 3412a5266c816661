import { isReadableOnTheWay, type ConfigProblem, type ConfigValues } from "@crosszone/service-kit";
import type { agentcoreVariables } from "./agentcore-variables.ts";
import { checkExecutionAuth } from "./check-execution-auth.ts";
import type { executionAuthVariables } from "./execution-auth-variables.ts";
import type { executionLinkVariables } from "./execution-link-variables.ts";
import type { fileVariables } from "../config/file-variables.ts";

type LinkConfig = Partial<
  ConfigValues<
    typeof executionLinkVariables & typeof executionAuthVariables & typeof agentcoreVariables & typeof fileVariables
  >
>;

/** What is wrong with the way to the execution zone: nothing secret may be read on it. Variables that could not be read are absent. */
export function checkExecutionLink(config: LinkConfig): ConfigProblem[] {
  return config.EXECUTION_TRANSPORT === "agentcore" ? agentcoreProblems(config) : httpsProblems(config);
}

function httpsProblems(config: LinkConfig): ConfigProblem[] {
  const { EXECUTION_URL: execution, SLACK_TOKEN_FORWARDING: forwarding } = config;
  const problems = checkExecutionAuth(config);
  if (forwarding === "real" && execution !== undefined && isReadableOnTheWay(execution))
    problems.push({
      name: "SLACK_TOKEN_FORWARDING",
      wrong: "is real, but EXECUTION_URL is not encrypted",
      expected: "handle, or an EXECUTION_URL with https: or on this machine",
    });
  return problems;
}

/** The calls are signed with AWS credentials, so neither a URL nor a token of ours is needed. */
function agentcoreProblems({ AGENTCORE_RUNTIME_ARN: arn, AGENTCORE_ENDPOINT: endpoint }: LinkConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (arn === undefined)
    problems.push({
      name: "AGENTCORE_RUNTIME_ARN",
      wrong: "is not set, but EXECUTION_TRANSPORT=agentcore requires it",
    });
  if (endpoint !== undefined && isReadableOnTheWay(endpoint)) problems.push({ name: "AGENTCORE_ENDPOINT", ...unsafe });
  return problems;
}

const unsafe = { wrong: "uses http: to another machine", expected: "https:, or a host on this machine" };
