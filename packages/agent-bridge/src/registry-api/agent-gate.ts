import { ApiProblem, invalidBody } from "@crosszone/admin-api";
import type { AgentMigrationEntry, AgentRecord, ConformanceReport, ParamProblem } from "@crosszone/contracts";
import type { AgentClient } from "../client/agent-client.ts";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import type { FullSettings } from "../registry/agent-settings.ts";

/** Other changes came first, in every attempt. */
export const changedMeanwhile = (): ApiProblem =>
  new ApiProblem("changed_meanwhile", undefined, { headers: { "retry-after": "1" } });

/**
 * Returns the ETag of an agent's revision. A recreated agent has another one.
 * https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
 */
export function entityTag({ id, revision }: AgentRecord): string {
  return `"${id}.${revision}"`;
}

/**
 * Throws a `ApiProblem` unless the request's condition, if any, is true.
 * https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
 */
export function checkIfMatch(ifMatch: string | undefined, agent: AgentRecord): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const tag = entityTag(agent);
  if (ifMatch.split(",").some((one) => one.trim() === tag)) return;
  throw new ApiProblem("revision_mismatch", undefined, { headers: { etag: tag } });
}

type CheckedProtocol = "a2a-1.0" | "jsonrpc-2.0" | "simple-a2a";

/** Checks whether the server at a URL complies with its protocol. Rejects only with the signal's reason. */
export type CheckConformance = (options: {
  readonly url: string;
  /** Default: those that the server offers. */
  readonly protocols?: readonly CheckedProtocol[];
  readonly fetch: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
}) => Promise<ConformanceReport>;

type FailedCheck = NonNullable<AgentMigrationEntry["failed_checks"]>[number];

/** Checks agents before they are moved to another protocol. */
export type AgentGate = ReturnType<typeof createAgentGate>;

const checked: ReadonlySet<string> = new Set<CheckedProtocol>(["a2a-1.0", "jsonrpc-2.0", "simple-a2a"]);

/** Returns whether there are checks for a protocol: not for `auto`, nor for that of an adapter that was added. */
export const hasChecks = (protocol: string): protocol is CheckedProtocol => checked.has(protocol);

const mostFailed = 100;

/** How long the registration of an agent waits for its card, milliseconds. */
const cardMs = 5_000;

export function createAgentGate(client: AgentClient, checkConformance: CheckConformance) {
  /** Checks an agent's protocol at its URL; `auto` checks what its card offers. */
  const report = (agent: AgentRecord, signal: AbortSignal): Promise<ConformanceReport> => {
    const { url, protocol } = agent;
    const protocols = hasChecks(protocol) ? [protocol] : undefined;
    return checkConformance({ url, protocols, fetch: client.fetchAs(agent), signal });
  };
  return {
    report,
    /** Returns the failed checks of level `must`; none when the agent complies, or when its protocol has no checks. */
    failedChecks: async (agent: AgentRecord, signal: AbortSignal): Promise<readonly FailedCheck[]> => {
      if (agent.protocol !== "auto" && !hasChecks(agent.protocol)) return [];
      return failuresIn(await report(agent, signal), agent.protocol);
    },
    /** Throws a `ApiProblem` for an agent that is called by its card, when the card is not trusted. */
    checkCard: async (agent: AgentRecord): Promise<void> => {
      if (client.checksCards !== true || agent.protocol !== "auto") return;
      const request = { agent, timeoutMs: cardMs, signal: AbortSignal.timeout(2 * cardMs) };
      await client.fetchCard(request).catch((error: unknown) => {
        if (!(error instanceof AgentFailure)) throw error;
        // An agent that does not run yet can be registered. Its card is checked when it is called.
        if (error.kind === "card_refused") throw invalidBody([{ pointer: "/url", message: error.message }]);
      });
    },
  };
}

function failuresIn({ compliant, checks }: ConformanceReport, protocol: string): readonly FailedCheck[] {
  if (compliant) return [];
  const failed = checks.filter(({ level, status }) => level === "must" && status === "failed");
  if (failed.length === 0 && checks.some(({ status }) => status === "passed")) return [unfinished];
  if (failed.length === 0) return [{ ...notServed, problem: `The agent did not answer as an agent of ${protocol}.` }];
  return failed.slice(0, mostFailed).map(({ id, title, problem, fix }) => ({ id, title, problem, fix }));
}

const unfinished = {
  id: "checks-finished",
  title: "The agent answers fast enough for all checks.",
  problem: "The time limit ended the checks before all of them were done.",
  fix: "Find out why the agent is slow: `crosszone conformance <url> --verbose` names the checks that were cut off.",
};

const notServed = {
  id: "protocol-served",
  title: "The agent serves the protocol at its URL.",
  fix: "Serve the protocol at this URL, or choose another protocol.",
};

/**
 * Throws a `ApiProblem` that names each failed check if the change moves an enabled agent to another protocol that the agent does not
 * comply with. A change to `auto` or back to the protocol and URL before passes without a check.
 */
export async function passGate(
  gate: AgentGate,
  { from, to, signal }: { readonly from: AgentRecord; readonly to: FullSettings; readonly signal: AbortSignal },
): Promise<void> {
  const { protocol, protocol_config, url } = to;
  const isBack = protocol === from.previous?.protocol && url === from.previous.url;
  if (!to.enabled || protocol === from.protocol || protocol === "auto" || isBack) return;
  const failed = await gate.failedChecks({ ...from, protocol, protocol_config, url }, signal);
  if (failed.length === 0) return;
  const problems = failed.map(({ id, title, problem = title, fix = "" }): ParamProblem => {
    return { pointer: "/protocol", message: `${id}: ${problem} ${fix}`.trim() };
  });
  const message = `The agent fails ${failed.length} of the checks of ${protocol}. Correct what \`problems\` names, or keep ${from.protocol}.`;
  throw new ApiProblem("not_compliant", message, { problems });
}
