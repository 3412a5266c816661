import { Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";

type ConnectionOptions = Omit<Agent.Options, "connect"> & { readonly connect?: buildConnector.BuildOptions };

// oxlint-disable-next-line node/no-process-env -- these variables are Node's, which reads them itself
const { env } = process;

/** Returns the environment, for Node's own agents, if requests go through its proxies. */
export const proxyEnv = (): NodeJS.ProcessEnv | undefined => (env["NODE_USE_ENV_PROXY"] === "1" ? env : undefined);

/** Returns connections, to `origin` alone if it is given. They use the proxies that Node's `fetch` uses, which undici's own agents ignore. */
export function openConnections(options: ConnectionOptions, origin?: string): Dispatcher {
  if (proxyEnv() !== undefined) return new EnvHttpProxyAgent({ ...options, requestTls: options.connect });
  return origin === undefined ? new Agent(options) : new Pool(origin, options);
}
