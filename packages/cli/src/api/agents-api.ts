import {
  type AgentHealth,
  type AgentList,
  type AgentMigration,
  type AgentMigrationRequest,
  type AgentRecord,
  type AgentSettings,
  type AgentTest,
  type AgentTestRequest,
  type ConformanceReport,
  isAgentHealth,
  isAgentList,
  isAgentMigration,
  isAgentRecord,
  isAgentTest,
  isConformanceReport,
  type Validator,
} from "@crosszone/contracts";
import { type ApiRequest, type Page, queryOf } from "./send.ts";

/** The agent methods of the zone's API client. Every method rejects with `RefusedError` or `UnreachableError`. */
export interface AgentsApi {
  readonly list: (page: Page) => Promise<AgentList>;
  readonly get: (name: string) => Promise<AgentRecord>;
  readonly add: (settings: AgentSettings) => Promise<AgentRecord>;
  readonly enable: (name: string) => Promise<AgentRecord>;
  readonly disable: (name: string) => Promise<AgentRecord>;
  readonly remove: (name: string) => Promise<void>;
  /** Changes the agent by a JSON merge patch. */
  readonly change: (name: string, patch: Readonly<Record<string, unknown>>) => Promise<AgentRecord>;
  /** Checks agents, and moves all of them to another protocol or none. */
  readonly migrate: (request: AgentMigrationRequest) => Promise<AgentMigration>;
  /** Undoes the last migration. */
  readonly rollBackMigration: () => Promise<AgentMigration>;
  /** Restores the protocol and URL before. */
  readonly rollBack: (name: string) => Promise<AgentRecord>;
  /** Probes the agent: the zone fetches its card. */
  readonly check: (name: string) => Promise<AgentHealth>;
  /** Checks the agent's conformance through the zone; of its own protocol when absent. */
  readonly conformance: (name: string, protocol: string | undefined) => Promise<ConformanceReport>;
  /** Sends a question to the agent through the zone and returns all requests and responses. */
  readonly test: (request: AgentTestRequest) => Promise<AgentTest>;
}

/** Sends a request and validates the response body; an empty body is validated as `undefined`. */
export type CallApi = <T>(is: Validator<T>, request: ApiCall) => Promise<T>;

export interface ApiCall extends Omit<ApiRequest, "signal"> {
  /** Timeout of the request, milliseconds. */
  readonly timeoutMs?: number;
}

/** `retried` retries a request. `once` sends it one time, for requests that the zone refuses when they are repeated. */
export function createAgentsApi({ retried, once }: { readonly retried: CallApi; readonly once: CallApi }): AgentsApi {
  return {
    list: ({ limit, offset }) => retried(isAgentList, { path: `agents?limit=${limit}&offset=${offset}` }),
    get: (name) => retried(isAgentRecord, { path: pathOf(name) }),
    add: (body) => once(isAgentRecord, { method: "POST", path: "agents", body }),
    enable: (name) => retried(isAgentRecord, { method: "POST", path: `${pathOf(name)}/enable` }),
    disable: (name) => retried(isAgentRecord, { method: "POST", path: `${pathOf(name)}/disable` }),
    remove: async (name) => void (await once(isNothing, { method: "DELETE", path: pathOf(name) })),
    change: (name, body) => once(isAgentRecord, { method: "PATCH", path: pathOf(name), body, timeoutMs: checkMs }),
    migrate: (body) => once(isAgentMigration, { method: "POST", path: "agent-migrations", body, timeoutMs: fleetMs }),
    rollBackMigration: () => once(isAgentMigration, { method: "POST", path: "agent-migrations/rollback" }),
    rollBack: (name) => once(isAgentRecord, { method: "POST", path: `${pathOf(name)}/rollback` }),
    conformance: (name, protocol) => {
      const path = `${pathOf(name)}/conformance${queryOf({ protocol })}`;
      return once(isConformanceReport, { method: "POST", path, timeoutMs: checkMs });
    },
    test: (body) => once(isAgentTest, { method: "POST", path: "agent-tests", body, timeoutMs: testMs }),
    check: (name) => retried(isAgentHealth, { method: "POST", path: `${pathOf(name)}/health` }),
  };
}

/** Timeout of an agent test, milliseconds. The zone fetches the card, then gives the agent a minute. */
const testMs = 75_000;
/** Timeout of a change that checks an agent's conformance first, milliseconds. A check takes at most half a minute. */
const checkMs = 60_000;
/** Timeout of a migration, milliseconds. The zone checks some agents at once. */
const fleetMs = 900_000;

const pathOf = (name: string): string => `agents/${encodeURIComponent(name)}`;

const isNothing = Object.assign((value: unknown): value is null => value === null, { errors: null }) as Validator<null>;
