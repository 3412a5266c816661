import { type ConfigValues, groupOf, list, matching, oneOf, secret, url, variable } from "@crosszone/service-kit";
import { z } from "zod";
import { isRuntimeArn } from "./runtime-arn.ts";

/** The transports to execution. `transports.ts` makes each of them. */
const transportNames = ["https", "agentcore"] as const;

/** Never one that proves who sends: those are kept secret, and have variables of their own. */
const header = z
  .string()
  .regex(/^(?!(authorization|cookie|proxy-)[^=]*=)[a-z0-9-]+=[\x20-\x7e]+$/i, { error: "it is not name=value" })
  .transform((text): [string, string] => [
    text.slice(0, text.indexOf("=")).toLowerCase(),
    text.slice(text.indexOf("=") + 1),
  ])
  .describe("name=value, and is no secret");

const runtimeArn = z
  .string()
  .refine(isRuntimeArn, { error: "it is not the ARN of a runtime" })
  .describe("the ARN of an AgentCore runtime");

/** How verification reaches execution. The AWS SDK finds its credentials in its own variables. */
export const linkVariables = {
  ...groupOf("Reach the execution zone", {
    EXECUTION_TRANSPORT: variable(oneOf(transportNames), { default: "https" })`
      How verification reaches execution: over HTTPS, or as a runtime of AWS Bedrock AgentCore.`,
    EXECUTION_URL: variable(url(), { default: "http://127.0.0.1:4000/rpc" })`
      URL of the execution zone. Another machine needs https:. {session} in its query becomes the session of a task.
      Not used with EXECUTION_TRANSPORT=agentcore.`,
    EXECUTION_TOKEN: variable(list(secret(32)).optional(), { secret: true })`
      Token for execution, the same value as there. EXECUTION_CREDENTIALS=hmac signs each request with it. Verification uses
      the first of several. It rereads the file on a change.`,
    EXECUTION_HEADERS: variable(list(header).optional(), { example: "foundry-features=HostedAgents=V1Preview" })`
      Extra headers for each request to execution, as name=value. Some hosts require them. Not for secrets.`,
  }),
  ...groupOf("AgentCore", {
    AGENTCORE_RUNTIME_ARN: variable(runtimeArn.optional(), {
      example: "arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/crosszone-A1b2C3d4E5",
    })`
      ARN of the AgentCore runtime that runs execution. Required with EXECUTION_TRANSPORT=agentcore.`,
    AGENTCORE_QUALIFIER: variable(
      matching(/^[A-Za-z]\w{0,47}$/, "the name of an endpoint", " of the runtime").optional(),
    )`
      Endpoint of the runtime. If unset, AWS uses DEFAULT.`,
    AGENTCORE_ENDPOINT: variable(url().optional())`
      URL of a private AgentCore endpoint. If unset, it is the public endpoint of AWS. Another machine needs https:.`,
  }),
};

export type LinkSettings = ConfigValues<typeof linkVariables>;
