import { createPlatformAuth, createRpcRoute, hostProfiles, serveRoute, type ExecutionDeps } from "@crosszone/execution";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { startAgentCoreStandIn, type AgentCoreStandIn, type Connect } from "@crosszone/testkit";
import { createAgentCoreTransport } from "@crosszone/verification/agentcore";
import { onTestFinished, vi } from "vitest";

/** Dependencies of an execution zone that runs in AgentCore's container. */
export const onAgentCore: Pick<ExecutionDeps, "profile" | "authenticator"> = {
  profile: hostProfiles.agentcore,
  authenticator: createPlatformAuth("agentcore"),
};

/** Starts AgentCore's stand-in in front of a container. Returns the variables that make verification call it. */
export async function startAws(container: string): Promise<{ standIn: AgentCoreStandIn; env: Record<string, string> }> {
  const standIn = await startAgentCoreStandIn({
    container: () => container,
    // Verification always follows the input requests.
    records: (payload) => !payload.includes('"list_input_requests"'),
  });
  const { accessKeyId, secretAccessKey, sessionToken = "" } = standIn.credentials;
  // The SDK reads credentials from the environment first.
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey);
  vi.stubEnv("AWS_SESSION_TOKEN", sessionToken);
  for (const file of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(file, "/dev/null");
  onTestFinished(() => void vi.unstubAllEnvs());
  return {
    standIn,
    env: {
      EXECUTION_URL: standIn.runtimeArn,
      EXECUTION_TOKEN: "",
      AWS_ENDPOINT_URL_BEDROCK_AGENTCORE: standIn.url,
    },
  };
}

/** Connects the transport with the real AWS SDK, through the stand-in, to execution's route. */
export const connectAgentCore: Connect = async (handle) => {
  const rpc = createRpcRoute({
    dispatch: (message, { correlationId, traceparent, signal = new AbortController().signal }) =>
      handle(message, { correlationId, traceparent, session: "", signal }) as Promise<string>,
    authenticator: createPlatformAuth("agentcore"),
    // The suite sends a megabyte.
    maxBytes: 8 << 20,
  });
  const route = serveRoute(rpc, () => undefined);
  const server = createHttpServer((request, response) => void route(request, response, () => undefined));
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  const { standIn } = await startAws(url);
  const { runtimeArn: arn, url: endpoint } = standIn;
  const transport = createAgentCoreTransport({ arn, endpoint, retryBudgetMs: 2_000 });
  return {
    transport,
    stop: async () => {
      await transport.close();
      await standIn.stop();
      await close(server, { deadlineMs: 100 });
    },
  };
};
