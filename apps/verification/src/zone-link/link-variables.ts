import { defineConfig, duration, list, secret, url, type ConfigValues } from "@crosszone/service-kit";
import { z } from "zod";
import { isRuntimeArn } from "./runtime-arn.ts";

/** The transports to execution. `transports.ts` makes each of them. */
const transportNames = ["https", "agentcore"] as const;

const group = "AddressScope the execution zone";

/** Never one that proves who sends: those are kept secret, and have variables of their own. */
const header = z
  .string()
  .regex(/^(?!(authorization|cookie|proxy-)[^=]*=)[a-z0-9-]+=[\x20-\x7e]+$/i, { error: "it is not name=value" })
  .transform((text): [string, string] => [
    text.slice(0, text.indexOf("=")).toLowerCase(),
    text.slice(text.indexOf("=") + 1),
  ])
  .describe("name=value, and is no secret");

/** An optional text that matches `pattern`; `what` names it in problems, and with `more` in the reference. */
function matching(pattern: RegExp, what: string, more = ""): z.ZodOptional<z.ZodString> {
  return z
    .string()
    .regex(pattern, { error: `it is not ${what}` })
    .describe(`${what}${more}`)
    .optional();
}

/** The AgentCore runtime that runs execution. The AWS SDK finds its credentials in its own variables. */
const agentcoreVariables = defineConfig({
  AGENTCORE_RUNTIME_ARN: {
    schema: z
      .string()
      .refine(isRuntimeArn, { error: "it is not the ARN of a runtime" })
      .describe("the ARN of an AgentCore runtime")
      .optional(),
    description: "ARN of the AgentCore runtime that runs execution. Required with EXECUTION_TRANSPORT=agentcore.",
    example: "arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/crosszone-A1b2C3d4E5",
    group: "AgentCore",
  },
  AGENTCORE_QUALIFIER: {
    schema: matching(/^[A-Za-z]\w{0,47}$/, "the name of an endpoint", " of the runtime"),
    description: "Endpoint of the runtime. If unset, AWS uses DEFAULT.",
    group: "AgentCore",
  },
  AGENTCORE_ACCOUNT_ID: {
    schema: matching(/^\d{12}$/, "an AWS account id", " of twelve digits"),
    description: "AWS account of the runtime. Set it only if AWS requires it in addition to the ARN.",
    group: "AgentCore",
  },
  AGENTCORE_REGION: {
    schema: matching(/^[a-z]{2}(-[a-z]+)+-\d$/, "an AWS region"),
    description: "AWS region to call. If unset, it is the region of the ARN.",
    group: "AgentCore",
  },
  AGENTCORE_ENDPOINT: {
    schema: url().optional(),
    description:
      "URL of a private AgentCore endpoint. If unset, it is the public endpoint of AWS. Another machine needs https:.",
    group: "AgentCore",
  },
});

/** How verification reaches execution, and how long calls can take. */
export const linkVariables = defineConfig({
  EXECUTION_TRANSPORT: {
    schema: z.enum(transportNames).describe(transportNames.join(" or ")),
    default: "https",
    description: "How verification reaches execution: over HTTPS, or as a runtime of AWS Bedrock AgentCore.",
    group,
  },
  EXECUTION_URL: {
    schema: url(),
    default: "http://127.0.0.1:4000/rpc",
    description:
      "URL of the execution zone. Another machine needs https:. Not used with EXECUTION_TRANSPORT=agentcore.",
    group,
  },
  EXECUTION_TOKEN: {
    schema: list(secret(32)).optional(),
    secret: true,
    description:
      "Bearer token for execution; the same value as there. Verification sends the first of several. It rereads the file on a change.",
    group,
  },
  EXECUTION_TIMEOUT: {
    schema: duration({ min: 1 }),
    default: "30s",
    description:
      "How long execution can take to answer one call, in addition to a long poll. Raise it for a slow network.",
    group,
    formerly: "EXECUTION_TIMEOUT_MS",
  },
  EXECUTION_RETRY_BUDGET: {
    schema: duration(),
    default: "60s",
    description: "How long verification retries a call to execution. Raise it if execution takes longer to restart.",
    group,
    formerly: "EXECUTION_RETRY_BUDGET_MS",
  },
  EXECUTION_HEADERS: {
    schema: list(header).optional(),
    description:
      "Extra headers for each request to execution, as name=value. Some hosts require them. Not for secrets.",
    example: "foundry-features=HostedAgents=V1Preview",
    group,
  },
  EXECUTION_SESSION_QUERY: {
    schema: z
      .string()
      .regex(/^[\w-]+$/)
      .optional()
      .describe("the name of a query parameter"),
    description:
      "Query parameter that carries the session of a task. Some hosts use it to route all its requests to one instance.",
    example: "agent_session_id",
    group,
  },
  ...agentcoreVariables,
});

export type LinkSettings = ConfigValues<typeof linkVariables>;
