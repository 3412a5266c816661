import { defineConfig, duration, list, secret, url } from "@crosszone/service-kit";
import { z } from "zod";

/** Never one that proves who sends: those are kept secret, and have variables of their own. */
const header = z
  .string()
  .regex(/^(?!(authorization|cookie|proxy-)[^=]*=)[a-z0-9-]+=[\x20-\x7e]+$/i, { error: "it is not name=value" })
  .transform((text): [string, string] => [
    text.slice(0, text.indexOf("=")).toLowerCase(),
    text.slice(text.indexOf("=") + 1),
  ])
  .describe("name=value, and is no secret");

/** How the execution zone is reached, and how long it may take. */
export const executionLinkVariables = defineConfig({
  EXECUTION_TRANSPORT: {
    schema: z.enum(["https", "agentcore"]).describe("https or agentcore"),
    default: "https",
    description: "How the execution zone is reached: by HTTPS, or as a runtime of AWS Bedrock AgentCore.",
    group: "Execution zone",
  },
  EXECUTION_URL: {
    schema: url(),
    default: "http://127.0.0.1:4000/rpc",
    description: "Where the execution zone listens. http: only on this machine. Not used with agentcore.",
    group: "Execution zone",
  },
  EXECUTION_TOKEN: {
    schema: list(secret(32)).optional(),
    secret: true,
    description:
      "Bearer token for the execution zone; of several, the first is sent. From a file, it is read again when the file changes.",
    group: "Execution zone",
  },
  EXECUTION_TIMEOUT: {
    schema: duration({ min: 1 }),
    default: "30s",
    description: "How long the execution zone may take to answer a call, beside the time that it is asked to wait.",
    group: "Execution zone",
    formerly: "EXECUTION_TIMEOUT_MS",
  },
  EXECUTION_RETRY_BUDGET: {
    schema: duration(),
    default: "60s",
    description:
      "How long a call to the execution zone is repeated when that may help, as while that zone is restarted.",
    group: "Execution zone",
    formerly: "EXECUTION_RETRY_BUDGET_MS",
  },
  EXECUTION_HEADERS: {
    schema: list(header).optional(),
    description: "Headers that the host of the execution zone wants with each request, with commas between them.",
    example: "foundry-features=HostedAgents=V1Preview",
    group: "Execution zone",
  },
  EXECUTION_SESSION_QUERY: {
    schema: z
      .string()
      .regex(/^[\w-]+$/)
      .optional()
      .describe("the name of a query parameter"),
    description: "Query parameter by which the host of the execution zone keeps the requests of one task together.",
    example: "agent_session_id",
    group: "Execution zone",
  },
});
