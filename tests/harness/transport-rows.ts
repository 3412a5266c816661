import { createAgentCoreTransport } from "@crosszone/verification/agentcore";
import { type Connect, type FrontEnd, startAws, startCloudRun, startFoundry } from "@crosszone/testkit";
import { createInProcessTransport, type HandleMessage } from "@crosszone/jsonrpc";
import { createLink, startRoute } from "./connect-https.ts";
import {
  certificateFiles,
  entraCheck,
  entraSource,
  googleAccount,
  googleCheck,
  googleSource,
  imdsSource,
  type TestClouds,
} from "./test-clouds.ts";

/** One way to join the zones: the transport, the authentication of the caller, and the host of execution. */
export interface TransportRow {
  readonly transport: string;
  readonly auth: string;
  readonly host: string;
  readonly connect: Connect;
}

type Variables = Record<string, string>;

interface Ends {
  readonly verification: Variables;
  readonly execution: Variables;
  /** Starts the host's server in front of execution. */
  readonly front?: (url: string) => Promise<FrontEnd & { path: string }>;
}

const shared = "a-secret-of-both-zones-that-is-long-enough";
const audience = "https://execution.example.com";
const appId = "api://crosszone-execution";

/** Returns a row for each way. It calls `clouds` when a row connects, after the clouds have started. */
export function transportRows(clouds: () => TestClouds): TransportRow[] {
  return [
    {
      transport: "in-process",
      auth: "none",
      host: "one process",
      connect: async (handle) => {
        const transport = createInProcessTransport(handle);
        return { transport, stop: () => transport.close() };
      },
    },
    { transport: "agentcore", auth: "SigV4 → host", host: "AgentCore", connect: connectAgentCore },
    ...secretRows(clouds),
    ...identityRows(clouds),
  ];
}

const https = (row: Omit<TransportRow, "connect" | "transport">, ends: () => Promise<Ends>): TransportRow => ({
  transport: "https",
  ...row,
  connect: async (handle) => connectEnds(handle, await ends()),
});

/** Returns the rows where both zones hold a secret or a certificate. */
function secretRows(clouds: () => TestClouds): TransportRow[] {
  const secure = async (subject: string, prefix: "TLS" | "EXECUTION_CLIENT"): Promise<Variables> => ({
    [prefix === "TLS" ? "CALLER_TLS_CA_FILE" : "EXECUTION_CA_FILE"]: clouds().file("ca.crt", clouds().authority.ca),
    ...certificateFiles(clouds(), prefix, await clouds().authority.issue({ subject })),
  });
  return [
    https({ auth: "none", host: "same machine" }, async () => ({ verification: {}, execution: {} })),
    https({ auth: "bearer", host: "same machine" }, async () => ({
      verification: { EXECUTION_TOKEN: shared },
      execution: { EXECUTION_TOKEN: `${shared}-next,${shared}` },
    })),
    https({ auth: "bearer", host: "TLS, private CA" }, async () => ({
      verification: {
        EXECUTION_TOKEN_FILE: clouds().file("token", shared),
        EXECUTION_CA_FILE: clouds().file("ca.crt", clouds().authority.ca),
      },
      execution: { EXECUTION_TOKEN: shared, ...(await secure("CN=execution", "TLS")) },
    })),
    https({ auth: "hmac", host: "same machine" }, async () => ({
      verification: { EXECUTION_CREDENTIALS: "hmac", EXECUTION_TOKEN: shared },
      execution: { CALLER_AUTH: "hmac", EXECUTION_TOKEN: `${shared}-next,${shared}` },
    })),
    https({ auth: "mtls", host: "TLS, private CA" }, async () => ({
      verification: { EXECUTION_CREDENTIALS: "mtls", ...(await secure("CN=verification", "EXECUTION_CLIENT")) },
      execution: { CALLER_AUTH: "mtls", CALLER_ALLOWED: "CN=verification", ...(await secure("CN=execution", "TLS")) },
    })),
  ];
}

/** Returns the rows where an identity provider of a cloud issues the caller's token. */
function identityRows(clouds: () => TestClouds): TransportRow[] {
  return [
    https({ auth: "google → jwt", host: "any HTTPS host" }, async () => ({
      verification: { ...googleSource(clouds()), EXECUTION_AUDIENCE: audience },
      execution: googleCheck(clouds(), audience),
    })),
    https({ auth: "google → jwt", host: "Cloud Run" }, async () => ({
      verification: { ...googleSource(clouds()), EXECUTION_AUDIENCE: audience },
      execution: googleCheck(clouds(), audience),
      front: async (url) => {
        const options = { provider: clouds().google, invoker: googleAccount.email, audience };
        return Object.assign(await startCloudRun(url, options), { path: "/rpc" });
      },
    })),
    https({ auth: "entra → jwt", host: "Container Apps" }, async () => ({
      verification: entraSource(clouds(), `${appId}/.default`),
      execution: entraCheck(clouds(), appId),
    })),
    https({ auth: "entra → jwt", host: "virtual machine" }, async () => ({
      verification: imdsSource(clouds(), `${appId}/.default`),
      execution: entraCheck(clouds(), appId),
    })),
    https({ auth: "entra → platform", host: "Foundry" }, async () => ({
      verification: entraSource(clouds(), "https://ai.azure.com/.default"),
      execution: { HOST_PROFILE: "foundry", CALLER_AUTH: "platform" },
      front: async (url) => {
        const path =
          "/api/projects/demo/agents/crosszone/endpoint/protocols/invocations?api-version=v1&agent_session_id={session}";
        return Object.assign(await startFoundry(url, { provider: clouds().microsoft, agent: "crosszone" }), { path });
      },
    })),
  ];
}

async function connectEnds(handle: HandleMessage, { verification, execution, front }: Ends): ReturnType<Connect> {
  const route = await startRoute(handle, execution);
  const before = await front?.(route.url);
  const transport = createLink(before === undefined ? route.url : `${before.url}${before.path}`, verification);
  return {
    transport,
    stop: async () => {
      await transport.close();
      await before?.stop();
      await route.stop();
    },
  };
}

/** Connects the transport with the real AWS SDK, through the stand-in, to execution's route. */
const connectAgentCore: Connect = async (handle) => {
  // The suite sends a megabyte.
  const route = await startRoute(handle, { HOST_PROFILE: "agentcore", CALLER_AUTH: "platform" }, 8 << 20);
  const { standIn } = await startAws(new URL(route.url).origin);
  const { runtimeArn: arn, url: endpoint } = standIn;
  const transport = createAgentCoreTransport({ arn, endpoint, retryBudgetMs: 2_000 });
  return {
    transport,
    stop: async () => {
      await transport.close();
      await standIn.stop();
      await route.stop();
    },
  };
};
