import type { Author } from "@crosszone/audit";
import {
  type AnswerInputResult,
  type ClaimInputRequestParams,
  type InputAnswer,
  type InputOutcome,
  type InputRequest,
  isInputRequest,
  problemsOf,
  ZoneError,
} from "@crosszone/contracts";
import type { Emit, Purge } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { RunWaits } from "@crosszone/workflow";
import type { CompiledQuery } from "kysely";
import { InputChanges, inputIds, InputNews } from "./apply-change.ts";
import { type Ballot, judgeBallot, formCheck } from "./decide.ts";
import { apiActor, unknownAct, voterActor, zoneActor } from "./input-acts.ts";
import {
  type ActionCall,
  closed,
  consentOrigin,
  elapsed,
  type InputRecord,
  isLive,
  judgeUse,
  needsSlack,
  type NewInput,
  reminded,
  type UseVerdict,
  votersProblem,
  type VoteRule,
  waitsOfAll,
  whyUnreached,
} from "./input-record.ts";
import { sleepOf } from "./input-statements.ts";
import { type InputClaim, type InputFilter, InputStore, type InputStoreOptions } from "./input-store.ts";

interface InputRequestsOptions extends InputStoreOptions {
  /** How long a request is kept after its end, milliseconds. */
  readonly retentionMs: number;
  readonly emit: Emit<ExecutionEvent>;
}

const isTaken = (outcome: InputOutcome): boolean => outcome === "decided" || outcome === "counted";
/** Time between two notes that a caller follows the requests, milliseconds. */
const followedEveryMs = 60_000;

const isAllowed = (verdict: UseVerdict): boolean => verdict === "allowed" || verdict === "again";

/** The input requests of all tasks and runs. Each change is one conditional update, so concurrent ones take effect one after the other. */
export class InputRequests {
  readonly #options: InputRequestsOptions;
  readonly #store: InputStore;
  readonly #news = new InputNews();
  readonly #changes: InputChanges;
  readonly #followers = new Map<string, number>();

  constructor(options: InputRequestsOptions) {
    this.#options = options;
    this.#store = new InputStore(options);
    this.#changes = new InputChanges(this.#store, this.#news, options.emit);
  }

  /**
   * Returns the statements that store requests with their jobs. A request that exists stays as it is. `closedBecause`: by request id, why one is
   * not asked. Throws as `check` does.
   */
  async asking(
    inputs: readonly NewInput[],
    closedBecause?: ReadonlyMap<string, string>,
  ): Promise<readonly CompiledQuery[]> {
    const { added, statements } = await this.#store.adding(inputs, closedBecause);
    for (const record of added) await this.check(record);
    for (const { request } of added)
      if (request.state === "open") this.#options.emit("input_requested", { ...inputIds(request), kind: request.kind });
    return statements;
  }

  /** Returns the open requests of other tasks that ask for the same calls, in the same thread and for the same requester, by request id. */
  readonly sameCalls: InputStore["sameCalls"] = (inputs) => this.#store.sameCalls(inputs);

  /** Throws as `checkRequest` does, and `agent_misconfigured` when no verification zone can ask those who decide. */
  async check(record: InputRecord): Promise<void> {
    checkRequest(record);
    const why = await this.whyNobody({ ...record.request, not: record.terms.not });
    if (why !== undefined) throw nobodyDecides(why, record.request);
  }

  /**
   * Returns why nobody can decide a request, as the rest of a sentence. Verification shows what it began itself, and asks for consents whenever it
   * connects; others wait for a zone that has followed the requests before, because it follows them again when it is back.
   */
  async whyNobody(rule: VoteRule): Promise<string | undefined> {
    const problem = votersProblem(rule);
    const isAskedLater = rule.origin === undefined || rule.origin === consentOrigin;
    if (problem !== undefined || isAskedLater || !needsSlack(rule)) return problem;
    return (await this.#store.isFollowed())
      ? undefined
      : "is decided in Slack, and no verification zone has connected yet: start one, or name an API token";
  }

  /** Notes that a caller of the zone link follows the requests. */
  async follow(caller: string): Promise<void> {
    const now = performance.now();
    if (now < (this.#followers.get(caller) ?? 0)) return;
    await this.#store.follow(caller);
    this.#followers.set(caller, now + followedEveryMs);
  }

  /**
   * Lets a caller of the zone link ask the deciders of an open request. The first claim counts; the caller that shows a request can only
   * name its people, and say whom it can't reach: the request is denied if too few are left. Returns undefined for any other.
   */
  async claim(
    requestId: string,
    claim: InputClaim,
    { names, unreachable = [] }: Pick<ClaimInputRequestParams, "names" | "unreachable">,
  ): Promise<InputRequest | undefined> {
    const claimed = await this.#changes.apply(requestId, { by: zoneActor }, (record, { now }) => {
      const { request, shownBy } = record;
      const isOwn = shownBy === claim.by;
      if (request.state !== "open") return { result: isOwn };
      const because = isOwn ? whyUnreached(record, unreachable) : undefined;
      if (because !== undefined) return { result: true, next: closed(request, "denied", { now, because }) };
      if (shownBy === null) return { result: true, next: { ...request, asked_in: claim.team_id, names }, claim };
      const isNews = isOwn && names !== undefined && canonicalJson(names) !== canonicalJson(request.names ?? {});
      return { result: isOwn, next: isNews ? { ...request, names } : undefined };
    });
    return claimed?.result === true ? claimed.request : undefined;
  }

  /** Stores a request with its job, or returns the one that exists. */
  async ask(input: NewInput): Promise<InputRequest | undefined> {
    const statements = await this.asking([input]);
    if (statements.length > 0) await this.#options.database.batch(statements);
    if (input.task_id !== undefined) this.#options.jobs.wakeHere();
    return (await this.find(input.request_id))?.request;
  }

  /** Returns a request; undefined when it is unknown or deleted. */
  async find(requestId: string): Promise<InputRecord | undefined> {
    return (await this.#store.find(requestId))?.record;
  }

  /** Returns whether a request has been decided or has ended otherwise; false if it is not stored yet. */
  readonly isClosed = async (requestId: string): Promise<boolean> => {
    const found = await this.find(requestId);
    return found !== undefined && found.request.state !== "open";
  };

  /**
   * Returns requests in the order of their last change, `limit` at most, and fewer when they are large. Waits up to `waitMs` milliseconds
   * for one.
   */
  async list(
    filter: InputFilter,
    {
      limit,
      waitMs = 0,
      signal,
    }: { readonly limit: number; readonly waitMs?: number; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly InputRequest[]> {
    const found = await this.#news.find(() => this.#store.part(filter, { limit, order: "asc" }), { waitMs, signal });
    return found.map(({ request }) => request);
  }

  /** Returns the requests of a task in the order of their last change. */
  ofTask(taskId: string): Promise<readonly InputRecord[]> {
    return this.#store.list({ taskId }, mostOfOwner);
  }

  /** Returns a page for operators, latest change first. */
  readonly page: InputStore["page"] = (filter, limit) => this.#store.page(filter, limit);

  /** Returns the deciders of waiting runs, by run id. Other runs have no entry. */
  async waitsOf(ids: readonly string[], of: "run_id" | "task_id" = "run_id"): Promise<ReadonlyMap<string, RunWaits>> {
    if (ids.length === 0) return new Map();
    const owners = of === "run_id" ? { runIds: ids } : { taskId: ids };
    const open = await this.#store.part({ ...owners, state: "open" }, { limit: mostOfOwner, order: "desc" });
    const byOwner = Map.groupBy(open, ({ request }) => request[of] ?? "");
    return new Map([...byOwner].map(([runId, records]) => [runId, waitsOfAll(records.map(({ request }) => request))]));
  }

  openCount(): Promise<number> {
    return this.#store.count({ state: "open" });
  }

  /** Judges and stores a person's answer. Returns undefined for an unknown request. Throws `invalid_params` for a wrong answer. */
  async answer(requestId: string, given: Ballot): Promise<AnswerInputResult | undefined> {
    const { emit } = this.#options;
    const ballot = { ...given, answer: knownMembers(given.answer) };
    const act = { action: "input.decide", by: voterActor(ballot) } as const;
    const judged = await this.#changes.apply(requestId, act, (record, moment) => {
      const { outcome, next } = judgeBallot(record, ballot, moment);
      return { result: outcome, next, rejected: !isTaken(outcome) && outcome };
    });
    if (judged === undefined) return undefined;
    const { result: outcome, request, stored } = judged;
    const fields = { ...inputIds(request), user_id: ballot.by.user_id };
    if (!isTaken(outcome)) emit("input_answer_rejected", { ...fields, outcome });
    else if (outcome === "decided" && stored)
      emit("input_decided", { ...fields, state: request.state, via: ballot.via });
    return { outcome, input_request: request };
  }

  /** Records an answer to a request that the caller's tasks don't have. */
  rejectUnknown(requestId: string, ballot: Ballot, caller: string): Promise<void> {
    return this.#store.append(unknownAct(requestId, voterActor(ballot), caller));
  }

  /** Uses an approval for a call, once. `policy`: digest of the rule in force. */
  async use(requestId: string, call: ActionCall, policy: string): Promise<UseVerdict> {
    const act = { action: "input.use", by: zoneActor } as const;
    const used = await this.#changes.apply(requestId, act, (record, moment) => {
      const judged = judgeUse(record, moment, { call, policy });
      return { ...judged, rejected: !isAllowed(judged.result) && judged.result };
    });
    const verdict = used?.result ?? "not_approved";
    const ids = used === undefined ? { request_id: requestId } : inputIds(used.request);
    if (!isAllowed(verdict)) this.#options.emit("input_use_rejected", { ...ids, verdict });
    return verdict;
  }

  /**
   * Withdraws a request that can still change, for the holder of an API token, who can give a reason, or for the zone. Returns it; undefined
   * for an unknown one.
   */
  async withdraw(
    requestId: string,
    because: string,
    by?: Author & { readonly reason?: string | undefined },
  ): Promise<InputRequest | undefined> {
    const act = { by: by === undefined ? zoneActor : apiActor(by.actor, by.from) };
    const withdrawn = await this.#changes.apply(requestId, act, ({ request }, { now }) => {
      const state = request.state === "open" ? "withdrawn" : "void";
      const next = { ...closed(request, state, { now, because }), withdraw_reason: by?.reason };
      return { result: undefined, next: isLive(request) ? next : undefined };
    });
    return withdrawn?.request;
  }

  /** Withdraws all requests of a task or run that can still change. */
  async withdrawOf(owner: InputFilter, because: string): Promise<void> {
    const live = await this.#store.list({ ...owner, live: true }, mostOfOwner);
    for (const { request } of live) await this.withdraw(request.request_id, because);
  }

  /**
   * Does what is due: expiry, reminder, end of an approval. Returns the request, and the time until the next look, milliseconds; undefined
   * when the request is unknown.
   */
  async advance(requestId: string): Promise<{ readonly request: InputRequest; readonly sleepMs: number } | undefined> {
    const advanced = await this.#changes.apply(requestId, { by: zoneActor }, (record, moment) => ({
      result: moment.now,
      next: isLive(record.request) ? (elapsed(record, moment) ?? reminded(record, moment.now)) : undefined,
    }));
    return advanced && { request: advanced.request, sleepMs: sleepOf(advanced.request, advanced.result) };
  }

  readonly purge: Purge = {
    table: "input_request",
    purge: (most) => this.#store.forget(this.#options.retentionMs, most),
  };
}

/** Far more than a task or run has. */
const mostOfOwner = 1_000;

/** Other members of an answer are not stored. */
function knownMembers(answer: InputAnswer): InputAnswer {
  if (answer.verdict !== "answer") return { verdict: answer.verdict, reason: answer.reason };
  return { verdict: "answer", value: answer.value, values: answer.values };
}

/**
 * Throws `agent_misconfigured` when too few people can decide a new request, and `agent_invalid_response` when the contract does
 * not allow it: agents and workflows write titles, options and forms.
 */
function checkRequest({ request, terms }: InputRecord): void {
  const nobody = votersProblem({ ...request, not: terms.not });
  if (nobody !== undefined) throw nobodyDecides(nobody, request);
  const [wrong] = problemsOf(isInputRequest, JSON.parse(JSON.stringify(request)));
  if (wrong !== undefined) throw invalid(`${wrong.pointer} ${wrong.message}`);
  try {
    if (request.schema !== undefined) formCheck(request.schema);
  } catch (cause) {
    throw invalid("/schema is not a JSON Schema", cause);
  }
}

/** Returns the error of a request that nobody can decide, for its requester. */
function nobodyDecides(why: string, { agent }: InputRequest): ZoneError {
  const agent_says = `The input request ${why}.`;
  return new ZoneError("agent_misconfigured", { agent, agent_says }, { cause: new Error(agent_says) });
}

const invalid = (what: string, cause?: unknown): ZoneError =>
  new ZoneError(
    "agent_invalid_response",
    {},
    { cause: new Error(`The input request is invalid: ${what}.`, { cause }) },
  );
