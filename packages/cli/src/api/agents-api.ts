import {
  type AgentMigrationRequest,
  type AgentSettings,
  type AgentTestRequest,
  isAgentHealth,
  isAgentList,
  isAgentMigration,
  isAgentRecord,
  isAgentTest,
  isConformanceReport,
  type Validator,
} from "@crosszone/contracts";
import { type ApiRequest, type Page, queryOf } from "./send.ts";

/** Sends a request and validates the response body; an empty body is validated as `undefined`. */
export type CallApi = <T>(
  is: Validator<T>,
  request: Omit<ApiRequest, "signal"> & { readonly timeoutMs?: number },
) => Promise<T>;

/** The agent methods of the zone's API client. Every method rejects with `RefusedError` or `UnreachableError`. */
export type AgentsApi = ReturnType<typeof createAgentsApi>;

/** `once` sends a request one time, for those that the zone refuses when they are repeated. `retried` retries it. */
export function createAgentsApi(once: CallApi, retried: CallApi) {
  return {
    list: ({ limit, offset }: Page) => retried(isAgentList, { path: `agents?limit=${limit}&offset=${offset}` }),
    get: (name: string) => retried(isAgentRecord, { path: pathOf(name) }),
    add: (body: AgentSettings) => once(isAgentRecord, { method: "POST", path: "agents", body }),
    enable: (name: string) => retried(isAgentRecord, { method: "POST", path: `${pathOf(name)}/enable` }),
    disable: (name: string) => retried(isAgentRecord, { method: "POST", path: `${pathOf(name)}/disable` }),
    remove: async (name: string) => void (await once(isNothing, { method: "DELETE", path: pathOf(name) })),
    /** Changes the agent by a JSON merge patch. */
    change: (name: string, body: Readonly<Record<string, unknown>>) =>
      once(isAgentRecord, { method: "PATCH", path: pathOf(name), body, timeoutMs: checkMs }),
    /** Checks agents, and moves all of them to another protocol or none. */
    migrate: (body: AgentMigrationRequest) =>
      once(isAgentMigration, { method: "POST", path: "agent-migrations", body, timeoutMs: fleetMs }),
    /** Undoes the last migration. */
    rollBackMigration: () => once(isAgentMigration, { method: "POST", path: "agent-migrations/rollback" }),
    /** Restores the protocol and URL before. */
    rollBack: (name: string) => once(isAgentRecord, { method: "POST", path: `${pathOf(name)}/rollback` }),
    /** Probes the agent: the zone fetches its card. */
    check: (name: string) => retried(isAgentHealth, { method: "POST", path: `${pathOf(name)}/health` }),
    /** Checks the agent's conformance through the zone; of its own protocol when absent. */
    conformance: (name: string, protocol: string | undefined) => {
      const path = `${pathOf(name)}/conformance${queryOf({ protocol })}`;
      return once(isConformanceReport, { method: "POST", path, timeoutMs: checkMs });
    },
    /** Sends a question to the agent through the zone and returns all requests and responses. */
    test: (body: AgentTestRequest) =>
      once(isAgentTest, { method: "POST", path: "agent-tests", body, timeoutMs: testMs }),
  };
}

/** Timeout of an agent test, milliseconds. The zone fetches the card, then gives the agent a minute. */
const testMs = 75_000;
/** Timeout of a change that checks an agent's conformance first, milliseconds. A check takes at most half a minute. */
const checkMs = 60_000;
/** Timeout of a migration, milliseconds. The zone checks some agents at once. */
const fleetMs = 900_000;

const pathOf = (name: string): string => `agents/${encodeURIComponent(name)}`;

/** An empty body. */
export const isNothing = Object.assign((value: unknown): value is null => value === null, {
  errors: null,
}) as Validator<null>;
