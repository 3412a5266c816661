import {
  createAuthenticator,
  createRpcRoute,
  loadExecutionConfig,
  serverTls,
  serveRoute,
  silentHttpObserver,
  type HttpObserver,
} from "@crosszone/execution";
import type { HandleMessage, Transport } from "@crosszone/jsonrpc";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { createCredentials, createHttpsTransport, loadVerificationConfig } from "@crosszone/verification";

type Variables = Readonly<Record<string, string>>;
type Refusal = Parameters<HttpObserver["refused"]>[0];

export interface Route {
  readonly url: string;
  /** What was refused, oldest first. */
  readonly refusals: Refusal[];
  readonly stop: () => Promise<void>;
}

/** Execution's route behind the authentication that its variables ask for, in front of any server. */
export async function startRoute(handle: HandleMessage, variables: Variables): Promise<Route> {
  const { values, files } = loadExecutionConfig(variables);
  const refusals: Refusal[] = [];
  const fail = (error: unknown): never => {
    throw error;
  };
  const rpc = createRpcRoute({
    dispatch: (message, { correlationId, traceparent, signal = new AbortController().signal }) =>
      handle(message, { correlationId, traceparent, session: "", signal }) as Promise<string>,
    authenticator: await createAuthenticator({ values, files, onFileFailure: fail }),
    maxBytes: 1 << 20,
  });
  const refused = (refusal: Refusal) => void refusals.push(refusal);
  const route = serveRoute(rpc, { ...silentHttpObserver, refused });
  const tls = serverTls(values, fail);
  const server = createHttpServer((request, response) => void route(request, response, fail), { ...(tls && { tls }) });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  return { url: `${url}/rpc`, refusals, stop: async () => void (await close(server, { deadlineMs: 100 })) };
}

/** Verification's transport with the credentials that its variables ask for. */
export function createLink(url: string, variables: Variables): Transport {
  const { values, files } = loadVerificationConfig({
    SLACK_BOT_TOKEN: "xoxb-not-used-here",
    SLACK_SIGNING_SECRET: "not-used-here-but-it-has-to-be-long",
    EXECUTION_URL: url,
    ...variables,
  });
  const fail = (error: unknown): never => {
    throw error;
  };
  const { EXECUTION_URL, EXECUTION_HEADERS: headers = [], EXECUTION_SESSION_QUERY: sessionQuery } = values;
  return createHttpsTransport({
    url: EXECUTION_URL,
    headers: Object.fromEntries(headers),
    sessionQuery,
    ...createCredentials({ values, files, onFileFailure: fail }),
  });
}
