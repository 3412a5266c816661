import {
  isAgentHealth,
  isAgentList,
  isAgentRecord,
  isAgentTest,
  type AgentHealth,
  type AgentList,
  type AgentRecord,
  type AgentSettings,
  type AgentTest,
  type AgentTestRequest,
  type Validator,
} from "@crosszone/contracts";
import type { Page } from "./page.ts";
import type { ApiRequest } from "./send.ts";

/** The agent methods of the zone's API client. Every method rejects with `RefusedError` or `UnreachableError`. */
export interface AgentsApi {
  readonly list: (page: Page) => Promise<AgentList>;
  readonly get: (name: string) => Promise<AgentRecord>;
  readonly add: (settings: AgentSettings) => Promise<AgentRecord>;
  readonly enable: (name: string) => Promise<AgentRecord>;
  readonly disable: (name: string) => Promise<AgentRecord>;
  readonly remove: (name: string) => Promise<void>;
  /** Probes the agent: the zone fetches its card. */
  readonly check: (name: string) => Promise<AgentHealth>;
  /** Sends a question to the agent through the zone and returns all requests and responses. */
  readonly test: (request: AgentTestRequest) => Promise<AgentTest>;
}

/** Sends a request and validates the response body; an empty body is validated as `undefined`. */
export type AskApi = <T>(is: Validator<T>, request: AskedOfApi) => Promise<T>;

export interface AskedOfApi extends Omit<ApiRequest, "signal"> {
  /** Timeout of the request, milliseconds. */
  readonly timeoutMs?: number;
}

/** `ask` retries a request. `once` sends it one time, for requests that the zone refuses when they are repeated. */
export function createAgentsApi({ ask, once }: { readonly ask: AskApi; readonly once: AskApi }): AgentsApi {
  return {
    list: ({ limit, offset }) => ask(isAgentList, { path: `agents?limit=${limit}&offset=${offset}` }),
    get: (name) => ask(isAgentRecord, { path: pathOf(name) }),
    add: (body) => once(isAgentRecord, { method: "POST", path: "agents", body }),
    enable: (name) => ask(isAgentRecord, { method: "POST", path: `${pathOf(name)}/enable` }),
    disable: (name) => ask(isAgentRecord, { method: "POST", path: `${pathOf(name)}/disable` }),
    remove: async (name) => void (await once(isNothing, { method: "DELETE", path: pathOf(name) })),
    test: (body) => once(isAgentTest, { method: "POST", path: "agent-tests", body, timeoutMs: testMs }),
    check: (name) => ask(isAgentHealth, { method: "POST", path: `${pathOf(name)}/health` }),
  };
}

/** Timeout of an agent test, milliseconds. The zone fetches the card, then gives the agent a minute. */
const testMs = 75_000;

const pathOf = (name: string): string => `agents/${encodeURIComponent(name)}`;

const isNothing = Object.assign((value: unknown): value is null => value === null, { errors: null }) as Validator<null>;
