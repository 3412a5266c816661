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

/** How verification reaches execution, and how long calls can take. */
export const executionLinkVariables = defineConfig({
  EXECUTION_TRANSPORT: {
    schema: z.enum(["https", "agentcore"]).describe("https or agentcore"),
    default: "https",
    description: "How verification reaches execution: over HTTPS, or as a runtime of AWS Bedrock AgentCore.",
    group: "Reach the execution zone",
  },
  EXECUTION_URL: {
    schema: url(),
    default: "http://127.0.0.1:4000/rpc",
    description:
      "URL of the execution zone. Another machine needs https:. Not used with EXECUTION_TRANSPORT=agentcore.",
    group: "Reach the execution zone",
  },
  EXECUTION_TOKEN: {
    schema: list(secret(32)).optional(),
    secret: true,
    description:
      "Bearer token for execution; the same value as there. Verification sends the first of several. It rereads the file on a change.",
    group: "Reach the execution zone",
  },
  EXECUTION_TIMEOUT: {
    schema: duration({ min: 1 }),
    default: "30s",
    description:
      "How long execution can take to answer one call, in addition to a long poll. Raise it for a slow network.",
    group: "Reach the execution zone",
    formerly: "EXECUTION_TIMEOUT_MS",
  },
  EXECUTION_RETRY_BUDGET: {
    schema: duration(),
    default: "60s",
    description: "How long verification retries a call to execution. Raise it if execution takes longer to restart.",
    group: "Reach the execution zone",
    formerly: "EXECUTION_RETRY_BUDGET_MS",
  },
  EXECUTION_HEADERS: {
    schema: list(header).optional(),
    description:
      "Extra headers for each request to execution, as name=value. Some hosts require them. Not for secrets.",
    example: "foundry-features=HostedAgents=V1Preview",
    group: "Reach the execution zone",
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
    group: "Reach the execution zone",
  },
});
