import {
  brokenRules,
  type ConfigProblem,
  type ConfigValues,
  groupOf,
  isLoopback,
  isReadableOnTheWay,
  nonEmpty,
  port,
  url,
  variable,
} from "@crosszone/service-kit";
import { chooseListening } from "../http/host-profile.ts";
import type { processVariables } from "./process-variables.ts";

/** The listener for programs, and which of them may ask. */
export const askVariables = groupOf("Programs that ask", {
  ASK_PORT: variable(port().optional(), { example: "4100" })`
    Port of the listener for programs, which ask agents over A2A and MCP. Only processes with the role rpc listen on it.
    If unset, programs can't ask.`,
  ASK_URL: variable(
    url()
      .refine((text) => ["", "/"].includes(new URL(text).pathname + new URL(text).search), { error: "it has a path" })
      .transform((text) => new URL(text).origin)
      .optional(),
    { example: "https://ask.example.com" },
  )`
    URL of that listener for programs, without a path. Tokens of an identity provider must be for it: the aud claim.
    If unset, only programs on this machine are served. Another machine needs https:.`,
  ASK_FILE: variable(nonEmpty("a file").optional(), { example: "/etc/crosszone/askers.yaml" })`
    YAML file that says which programs may ask which agents, and how often. Edits apply without a restart. If unset, no
    program may ask.`,
});

type AskConfig = ConfigValues<typeof askVariables & typeof processVariables>;

/** Checks the variables about programs against each other. Variables that could not be read are absent. */
export function askProblems(config: Partial<AskConfig>): ConfigProblem[] {
  const { ASK_PORT: askPort, ASK_URL: askUrl, HOST_PROFILE: profile, EXECUTION_HOST: host } = config;
  if (askPort === undefined || profile === undefined) return [];
  const zone = chooseListening(profile, { host, port: config.EXECUTION_PORT, hostPort: config.PORT });
  const isSession = profile === "agentcore";
  return brokenRules([
    [isSession, "ASK_PORT", "is set, but on HOST_PROFILE=agentcore every session is a separate machine", "no value"],
    [askPort !== 0 && askPort === zone.port, "ASK_PORT", `is the port of the zone link, ${zone.port}`, "another port"],
    [
      !isSession && askUrl === undefined && !isLoopback(zone.host),
      "ASK_URL",
      `is not set, but other machines can reach ASK_PORT at ${zone.host}`,
      "the URL that programs use, or EXECUTION_HOST=127.0.0.1",
    ],
    [
      askUrl !== undefined && isReadableOnTheWay(askUrl),
      "ASK_URL",
      "uses http: to another machine",
      "https:, or a host on this machine",
    ],
  ]);
}
