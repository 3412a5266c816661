import {
  createAuthenticator,
  createRpcRoute,
  loadExecutionConfig,
  type RequestContext,
  serverTls,
} from "@crosszone/execution";
import type { HandleMessage, Transport } from "@crosszone/jsonrpc";
import { close, createHttpServer, listen, type LogFields } from "@crosszone/service-kit";
import { tunedConstants } from "@crosszone/testkit/tune";
import { createCredentials, createHttpsTransport, loadVerificationConfig } from "@crosszone/verification";
import { Agent, request } from "undici";
import { onTestFinished } from "vitest";

type Variables = Readonly<Record<string, string>>;

export type Route = Awaited<ReturnType<typeof startRoute>>;

const fail = (error: unknown): never => {
  throw error;
};

/** Starts execution's route with the authentication that the variables configure. `refusals`: oldest first. */
export async function startRoute(handle: HandleMessage, variables: Variables, maxBytes = 1 << 20) {
  const loaded = loadExecutionConfig(variables);
  const [values, files] = [{ ...loaded.values, ...tunedConstants(variables) }, loaded.files];
  const refusals: LogFields[] = [];
  const deps = {
    dispatch: (message: Uint8Array, context: RequestContext) => {
      const { correlationId, traceparent, signal = new AbortController().signal } = context;
      return handle(message, { correlationId, traceparent, session: "", signal }) as Promise<string>;
    },
    authenticator: await createAuthenticator({ values, files }, fail),
    maxBytes,
  };
  const route = createRpcRoute(deps, (_event, ...[fields]) => void refusals.push({ ...fields }));
  const tls = serverTls(values, fail);
  const server = createHttpServer((incoming, response) => void route(incoming, response), { tls });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  return { url: `${url}/rpc`, refusals, stop: async () => void (await close(server, { deadlineMs: 100 })) };
}

/** Creates verification's transport with the credentials that the variables configure. */
export function createLink(url: string, variables: Variables): Transport {
  const loaded = loadVerificationConfig({
    SLACK_BOT_TOKEN: "xoxb-not-used-here",
    SLACK_SIGNING_SECRET: "not-used-here-but-it-has-to-be-long",
    EXECUTION_URL: url,
    ...variables,
  });
  const [values, files] = [{ ...loaded.values, ...tunedConstants(variables) }, loaded.files];
  const { EXECUTION_URL, EXECUTION_HEADERS: headers = [] } = values;
  return createHttpsTransport({
    url: EXECUTION_URL,
    headers: Object.fromEntries(headers),
    ...createCredentials({ values, files, onFileFailure: fail }),
  });
}

export interface Posted {
  readonly status: number;
  readonly challenge: string | undefined;
  /** The advice of a refusal. */
  readonly message: string | undefined;
  /** The route's reason for the refusal. Undefined without a refusal. */
  readonly reason: string | undefined;
}

/** Posts a request that no transport of Crosszone would send. `connect`: options of the connection, such as certificates. */
export async function postTo(
  route: Route,
  { headers = {}, body = "{}", connect = {} }: { headers?: Variables; body?: string; connect?: object } = {},
): Promise<Posted> {
  const before = route.refusals.length;
  const dispatcher = new Agent({ connect });
  try {
    const answer = await request(route.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      dispatcher,
    });
    const { error } = (await answer.body.json()) as { error?: { data?: { problems?: { message?: string }[] } } };
    return {
      status: answer.statusCode,
      challenge: answer.headers["www-authenticate"]?.toString(),
      message: error?.data?.problems?.[0]?.message,
      reason: route.refusals[before]?.["reason"] as string | undefined,
    };
  } finally {
    await dispatcher.destroy();
  }
}

/** What `postTo` returns for a request that the route accepts. */
export const accepted: Posted = { status: 200, challenge: undefined, message: undefined, reason: undefined };

/** What `postTo` returns for a request whose credentials the route refuses. */
export const refusedBy =
  (challenge: string) =>
  (reason: string): Posted => ({ status: 401, challenge, message: "the credentials are not valid", reason });

/** Starts a route that answers every call with an empty result. Ends with the test. */
export async function startAnswering(variables: Variables): Promise<Route> {
  const route = await startRoute(async () => '{"jsonrpc":"2.0","result":{},"id":1}', variables);
  onTestFinished(route.stop);
  return route;
}

/** Opens verification's transport, and returns a function that makes a call and resolves with the answer. Ends with the test. */
export function openLink(url: string, variables: Variables): () => Promise<string> {
  const transport = createLink(url, variables);
  onTestFinished(() => transport.close());
  const options = { timeoutMs: 5_000, session: "s", correlationId: "c" };
  return async () => Buffer.from(await transport.send(Buffer.from("{}"), options)).toString();
}
