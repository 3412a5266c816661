import { onTestFinished, vi } from "vitest";
import { type AgentCoreStandIn, startAgentCoreStandIn } from "./agentcore-stand-in.ts";

/** Starts AgentCore's stand-in in front of a container. Returns the variables that make verification call it. */
export async function startAws(container: string): Promise<{ standIn: AgentCoreStandIn; env: Record<string, string> }> {
  const standIn = await startAgentCoreStandIn({
    container: () => container,
    // Verification always follows the input requests and the fires.
    records: (payload) => !/"list_(?:input_requests|fires)"/.test(payload.toString()),
  });
  useCredentials(standIn);
  const env = {
    EXECUTION_URL: standIn.runtimeArn,
    EXECUTION_TOKEN: "",
    AWS_ENDPOINT_URL_BEDROCK_AGENTCORE: standIn.url,
  };
  return { standIn, env };
}

/** Sets the stand-in's credentials where the SDK looks first, and disables the next sources. Ends with the test. */
export function useCredentials({ credentials }: AgentCoreStandIn): void {
  vi.stubEnv("AWS_ACCESS_KEY_ID", credentials.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey);
  vi.stubEnv("AWS_SESSION_TOKEN", credentials.sessionToken);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  for (const file of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(file, "/dev/null");
  onTestFinished(() => void vi.unstubAllEnvs());
}
