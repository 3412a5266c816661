import type { Fire, FireOutcome } from "@crosszone/contracts";
import type { CallOptions } from "@crosszone/jsonrpc";
import { authorText } from "../cards/input-card.ts";
import type { FeedDeps } from "../cards/input-feed.ts";
import { promptOf } from "../cards/press-acts.ts";
import { UnanswerableError } from "../inbox/record-ends.ts";
import { fireRecordId, headOf, type InboxRecord, messageClaim } from "../inbox/records.ts";
import { keepPolling } from "../link/zone-link.ts";
import type { Denial } from "../policy/denials.ts";
import { type Flow, tellDirectly, tellOperators, type Workplace } from "../showing/workplace.ts";
import { postAnchor } from "../showing/attempt.ts";
import { literalText, mention, neutraliseMentions, oneLine } from "../showing/markdown/neutralise.ts";
import { isRefusedForGood } from "../showing/send-once.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";

interface FireFeedDeps extends FeedDeps {
  /** The Slack channel where operators read that an owner left. */
  readonly operatorChannel?: string | undefined;
}

/** Fires that are stored at once, and the pause after them, milliseconds: however many are due, this process does other work between them. */
const [pageSize, pageMs] = [10, 50];

/**
 * Follows the fires that are due in execution: stores each one once, then tells execution so. A fire that one process stores while another takes
 * it, or that is listed again after a crash, changes nothing.
 */
export async function followFires(deps: FireFeedDeps): Promise<void> {
  const { link, emit, allWorkspaces, stopping: signal } = deps;
  await keepPolling(link, {
    signal,
    onOutage: (failure) => emit("fire_feed_failed", { operation: "list_fires", failure }),
    poll: async (call, wait_ms) => {
      const workspaces = new Map((await allWorkspaces()).map((one) => [one.identity.team_id, one]));
      const team_ids = [...workspaces.keys()];
      if (team_ids.length === 0) return false;
      const { fires } = await link.call("list_fires", { team_ids, wait_ms, limit: pageSize, authors: true }, call);
      // The fires of one workspace don't wait for another's Slack.
      const taking = fires.map((fire) => takeFire(deps, workspaces.get(fire.owner.team_id), { fire, call }));
      const failed = (await Promise.allSettled(taking)).find((one) => one.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      return fires.length > 0;
    },
    newsMs: pageMs,
  });
}

async function takeFire(
  deps: FireFeedDeps,
  workspace: WorkspaceContext | undefined,
  { fire, call }: { readonly fire: Fire; readonly call: CallOptions },
): Promise<void> {
  const { fire_id } = fire;
  const taken = await storeFire(deps, workspace, fire).catch((error: unknown) => {
    if (!isRefusedForGood(error)) throw error;
    return { outcome: "refused" as const, reason: "Slack opens no direct messages with its owner." };
  });
  if (taken.outcome !== "accepted") deps.emit("fire_not_asked", { correlation_id: fire_id, ...taken });
  await deps.link.call("take_fire", { fire_id, ...taken }, { ...call, correlationId: fire_id });
}

/** Stores a fire, or tells the operators that its owner left. Rejects while Slack does not say who the owner is. */
async function storeFire(
  { inbox, operatorChannel }: FireFeedDeps,
  workspace: WorkspaceContext | undefined,
  fire: Fire,
): Promise<{ readonly outcome: FireOutcome; readonly reason?: string }> {
  if (workspace === undefined) return { outcome: "refused", reason: "The app is not installed in the workspace." };
  const { slack, clock } = workspace;
  const { org_id } = workspace.identity;
  const { fire_id: correlation_id, source, thread_ts = "" } = fire;
  const { team_id, user_id } = fire.owner;
  // As Slack knows the person now.
  const person = await slack.user(user_id);
  if (person === undefined || person.deleted || person.stranger) {
    const text = `${headlineOf(fire)} is paused: its owner ${mention(user_id)} left. Give the ${source} to another person.`;
    await tellOperators({ workspace, inbox, operatorChannel }, text, `owner left ${correlation_id}`);
    return { outcome: "owner_left" };
  }
  const ids = { request_id: fireRecordId(correlation_id), correlation_id, claims: [`fire ${correlation_id}`] };
  const who = { team_id, org_id, user_id, teams: [team_id], author_teams: [], received_at: clock.now() };
  const channel = fire.channel ?? (await slack.openDirect(user_id));
  await inbox.accept({ ...ids, ...who, channel, thread_ts, in_thread: thread_ts !== "", kind: "fire", fire });
  return { outcome: "accepted" };
}

/** Returns what a fire is, mrkdwn. */
const headlineOf = (fire: Fire): string => `*${titleOf(fire)}* · ${fire.source}`;
const titleOf = ({ title, name }: Fire): string => literalText(neutraliseMentions(oneLine(title ?? name, 100)));

/** Returns the flow that posts the message of a fire, and asks its text, whose answer takes its place: once each, whatever process does it. */
export function createFireFlow({ workspace, inbox }: Workplace): Flow<"fire"> {
  return async (leased, leave) => {
    leave.throwIfAborted();
    const { fire, user_id, team_id } = leased.record;
    const { fire_id: request_id, agent, text = "" } = fire;
    // What a hook or another author wrote is not its owner's own words, also when the question is asked again.
    const isOthers = fire.source === "hook" || fire.written_by !== undefined;
    const offered_by = isOthers ? `${fire.source}:${fire.name}` : undefined;
    const asked = { asker: user_id, agent, prompt: promptOf(text), offered_by };
    const by =
      fire.written_by && `*${titleOf(fire)}* · scheduled by ${authorText(fire.written_by)} for ${mention(user_id)}`;
    const mark = { ...asked, request_id, state: "working" as const };
    const shown = { text: by ?? `${headlineOf(fire)} of ${mention(user_id)}`, mark, leave };
    const {
      ts,
      text: line,
      ...place
    } = await postAnchor(workspace, leased, shown).catch((cause: unknown) => {
      if (!isRefusedForGood(cause)) throw cause;
      throw new UnanswerableError("Slack refuses the message of a fire", { cause });
    });
    const claims = [`asked ${request_id}`, messageClaim(team_id, place.channel, ts)];
    const headline = { ts, text: line, mark: asked };
    const head = { ...headOf(leased.record), ...place, request_id, claims, headline };
    const question = { ts, text, agent, files: [], files_unknown: false, is_literal: true, is_fire: true };
    await inbox.accept({ ...head, kind: "ask", ...question });
  };
}

/** Tells the owner of a denied fire, once, in their direct messages. */
export function tellOwner(
  desk: Workplace,
  record: InboxRecord,
  { denial: { reason }, text }: { readonly denial: Denial; readonly text: string | undefined },
): Promise<void> {
  const what = record.kind === "fire" ? headlineOf(record.fire) : "Your schedule or hook";
  const why = text ?? `The policy does not allow it: ${reason}.`;
  return tellDirectly(desk, record, `${what} did not run. ${why}`);
}
