import { randomUUID } from "node:crypto";
import { type InputRequest, type ListInputRequestsParams, ZoneError } from "@crosszone/contracts";
import type { CallOptions } from "@crosszone/jsonrpc";
import type { Emit } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Inbox } from "../inbox/inbox.ts";
import { inputRecordId, pausedTaskId } from "../inbox/records.ts";
import { keepPolling, type ZoneLink } from "../link/zone-link.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import type { WorkspaceContext, Workspaces } from "../workspaces/workspaces.ts";
import { namedDeciders } from "./input-card.ts";
import { asksConsent } from "./input-modals.ts";
import { peopleNames, readGroups } from "./show-input.ts";

export interface FeedDeps {
  readonly link: ZoneLink;
  readonly emit: Emit<VerificationEvent>;
  readonly inbox: Inbox;
  readonly allWorkspaces: Workspaces["all"];
  /** Ends it. */
  readonly stopping: AbortSignal;
}

/** Requests in one answer. Each has all its arguments. */
const pageSize = 50;

/**
 * Follows the input requests in execution: wakes the records whose request has changed, and stores the requests of work that began outside
 * Slack. Begins with the open ones.
 */
export async function followInputs(deps: FeedDeps): Promise<void> {
  const { link, inbox, emit, stopping: signal } = deps;
  let after_seq = 0;
  let isCaughtUp = false;
  await keepPolling(link, {
    signal,
    onOutage: (failure) => emit("input_feed_failed", { operation: "list_input_requests", failure }),
    poll: async (call, wait_ms) => {
      const which: ListInputRequestsParams = isCaughtUp ? { after_seq, wait_ms } : { after_seq, state: "open" };
      const { input_requests, last_seq } = await link.call("list_input_requests", { ...which, limit: pageSize }, call);
      for (const request of input_requests) await askElsewhere(deps, request, call);
      await inbox.wake([
        ...input_requests.map(({ request_id }) => inputRecordId(request_id)),
        ...new Set(input_requests.flatMap(({ task_id }) => (task_id === undefined ? [] : [pausedTaskId(task_id)]))),
      ]);
      after_seq = last_seq;
      const isNews = !isCaughtUp || input_requests.length > 0;
      isCaughtUp ||= input_requests.length === 0;
      return isNews;
    },
  });
}

/** Stores a request of work that began outside Slack, once, after this zone has claimed it. */
async function askElsewhere(
  { link, inbox, allWorkspaces }: FeedDeps,
  request: InputRequest,
  call: CallOptions,
): Promise<void> {
  const { origin, state, request_id, correlation_id = randomUUID() } = request;
  const recordId = inputRecordId(request_id);
  if (origin === undefined || state !== "open" || (await inbox.isOpen(recordId))) return;
  for (const workspace of await allWorkspaces()) {
    const isOwn = asksConsent(request) && workspace.identity.team_id === request.team_id;
    if (!isOwn && (asksConsent(request) || !(await knowsDeciders(workspace, request)))) continue;
    const names = Object.fromEntries(await peopleNames(request, workspace.directory));
    const { team_id, org_id, bot_user_id: user_id } = workspace.identity;
    const claimed = await link
      .call("claim_input_request", { request_id, team_id, names }, { ...call, correlationId: correlation_id })
      .catch(unlessTaken);
    if (claimed === undefined) return;
    const unreachable = isOwn ? await missingFor(workspace.slack, request) : [];
    if (unreachable.length > 0) {
      const told = { request_id, team_id, unreachable };
      const { state: now } = await link.call("claim_input_request", told, { ...call, correlationId: correlation_id });
      // Older versions of execution don't know channels here.
      if (now !== "open") return;
    }
    const place = { team_id, org_id, channel: "", thread_ts: "", in_thread: false, teams: [team_id], author_teams: [] };
    const head = { ...place, user_id, correlation_id, received_at: link.clock.now(), claims: [recordId] };
    await inbox.accept({ ...head, kind: "input", request_id: recordId, request: claimed });
    return;
  }
}

/** Returns the owner who can't be asked, because a person who left reads no direct message, and the channel that the app can't see. */
async function missingFor(
  slack: WorkspaceContext["slack"],
  { requester = "", action }: InputRequest,
): Promise<string[]> {
  const channel = (action?.arguments as { readonly channel?: string } | undefined)?.channel;
  const [person, place] = await Promise.all([
    slack.user(requester),
    channel === undefined ? "" : slack.channel(channel).catch(unnamed),
  ]);
  const isGone = person === undefined || person.deleted || person.stranger;
  return [...(isGone ? [requester] : []), ...(place === undefined && channel !== undefined ? [channel] : [])];
}

/** Another zone asks the deciders, or the request is gone. */
function unlessTaken(error: unknown): undefined {
  if (!(error instanceof ZoneError) || error.kind !== "input_request_not_found") throw error;
}

/** Whether a workspace knows any of the deciders, or of their groups. */
async function knowsDeciders(
  { slack, directory, identity: { team_id } }: WorkspaceContext,
  request: InputRequest,
): Promise<boolean> {
  const people = namedDeciders(request, team_id).filter((id) => /^[UW]/.test(id));
  const found = await Promise.all(people.map((id) => directory.user(id).catch(unnamed)));
  if (found.some((user) => user !== undefined && user.stranger !== true)) return true;
  return (await readGroups(request.decide.groups, { slack, team_id, onFailure: () => undefined })).size > 0;
}

/** Without the scope to read people, their ids are their names. */
function unnamed(error: unknown): { readonly stranger?: boolean } {
  if (error instanceof SlackCallError && error.failure === "refused") return {};
  throw error;
}
