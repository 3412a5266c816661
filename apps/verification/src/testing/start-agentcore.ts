import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { startAgentCoreStandIn, type StandInOptions, useCredentials } from "@crosszone/testkit";
import { type Answer, serve } from "@crosszone/testkit/temporary";
import { onTestFinished } from "vitest";
import { createAgentCoreTransport, type AgentCoreTransportOptions } from "../link/agentcore-transport.ts";

export type TestAgentCore = Awaited<ReturnType<typeof startAgentCore>>;

/** Starts the transport with the real SDK, the stand-in, and a container, which echoes its requests by default. Ends with the test. */
export async function startAgentCore(
  options: Partial<AgentCoreTransportOptions> & { container?: Answer; standIn?: Partial<StandInOptions> } = {},
) {
  /** The container's requests, with the default echoing container. */
  const received: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const echo: Answer = async (request, response) => {
    const body = await text(request);
    received.push({ path: request.url, headers: request.headers, body });
    response.setHeader("content-type", "application/json").end(body);
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
