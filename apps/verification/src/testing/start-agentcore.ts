import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { startAgentCoreStandIn, type AgentCoreStandIn, type StandInOptions } from "@crosszone/testkit";
import { serve } from "@crosszone/testkit/temporary";
import { onTestFinished, vi } from "vitest";
import {
  createAgentCoreTransport,
  type AgentCoreTransportOptions,
} from "../zone-link/transports/agentcore/agentcore-transport.ts";

export type TestAgentCore = Awaited<ReturnType<typeof startAgentCore>>;

/** Starts the transport with the real SDK, the stand-in, and a container, which echoes its requests by default. Ends with the test. */
export async function startAgentCore(
  options: Partial<AgentCoreTransportOptions> & { container?: RequestListener; standIn?: Partial<StandInOptions> } = {},
) {
  /** The container's requests, with the default echoing container. */
  const received: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const echo: RequestListener = (request, response) => {
    const answer = (body: string): void => {
      received.push({ path: request.url, headers: request.headers, body });
      response.setHeader("content-type", "application/json").end(body);
    };
    void text(request).then(answer);
  };
  const { container = echo, standIn, ...transportOptions } = options;
  const url = await serve(container);
  const aws = await startAgentCoreStandIn({ container: () => url, ...standIn });
  useCredentials(aws);
  const transport = createAgentCoreTransport({
    arn: aws.runtimeArn,
    endpoint: aws.url,
    retryBudgetMs: 5_000,
    firstPauseMs: 5,
    ...transportOptions,
  });
  onTestFinished(async () => {
    await transport.close();
    await aws.stop();
  });
  return { transport, aws, received };
}

/** Sets credentials where the SDK's default chain looks first, and disables the next source. */
function useCredentials({ credentials }: AgentCoreStandIn): void {
  vi.stubEnv("AWS_ACCESS_KEY_ID", credentials.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey);
  vi.stubEnv("AWS_SESSION_TOKEN", credentials.sessionToken);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  for (const file of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(file, "/dev/null");
  onTestFinished(() => void vi.unstubAllEnvs());
}
