import { ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { createTokenBuckets } from "@crosszone/service-kit";
import { type HomeRecord, inputRecordId } from "../inbox/records.ts";
import { denialSentence } from "../policy/denials.ts";
import type { Flow, Workplace } from "../showing/workplace.ts";
import { isRefusedForGood } from "../showing/send-once.ts";
import type { MessagePlace, SlackApi } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { deniedHome, type HomeParts, homeView, type Linked, pageOfEntries } from "./home-view.ts";
import { namedDeciders } from "./input-card.ts";
import { waitAfter } from "./show-input.ts";

/** A person who opens the tab again within a second sees what was published the first time. */
const publishesPerMinute = 60;
/** Time for each part of the tab, milliseconds. A part that takes longer is not shown. */
const partMs = 3_000;
/** How long publishing is retried, milliseconds. Then the person has left the tab. */
const longestRetryMs = 60_000;
/** Age of the oldest question that is shown, milliseconds. */
const shownMs = 86_400_000;

/** Returns the flow that publishes Home tabs. The policy applies as to a message, except the rate limits. */
export function createHomeFlow(desk: Workplace): Flow<"home"> {
  const { workspace } = desk;
  const { slack, policies, clock } = workspace;
  const opened = createTokenBuckets({ capacity: 1, perMinute: publishesPerMinute });
  return async ({ record, attempt }, signal) => {
    signal.throwIfAborted();
    const { user_id, note, page, correlation_id, request_id, received_at } = record;
    if (attempt === 1 && note === undefined && page === undefined && opened.take(user_id) > 0) return;
    const { denial } = await policies.onRetry(record);
    const denied = denial && denialSentence(denial, correlation_id);
    // Strangers and bots get nothing.
    if (denial !== undefined && denied === undefined) return;
    const view = denied === undefined ? homeView(record, await readHome(desk, record, signal)) : deniedHome(denied);
    signal.throwIfAborted();
    try {
      await slack.publishHome(user_id, view);
    } catch (failure) {
      if (!(failure instanceof SlackCallError)) throw failure;
      const isOver = clock.now() - received_at > longestRetryMs;
      if (!isRefusedForGood(failure) && !isOver) throw waitAfter(failure);
      workspace.emit("home_not_published", { correlation_id, request_id, operation: failure.method, failure, user_id });
    }
  };
}

/** Reads the parts of a person's Home tab at the same time. */
async function readHome(
  { workspace, inbox, link }: Workplace,
  record: HomeRecord,
  signal: AbortSignal,
): Promise<HomeParts> {
  const { user_id, team_id, note, page = "", correlation_id: correlationId } = record;
  const { slack, clock } = workspace;
  const call = { signal, correlationId, timeoutMs: partMs };
  const since = new Date(clock.now() - shownMs).toISOString();
  const [agents, usage, tasks, requests, planned] = await Promise.all([
    link.call("list_agents", {}, call).catch(unlessAway),
    link.call("get_usage", { user_id, team_id }, call).catch(unlessAway),
    link.call("list_person_tasks", { user_id, team_id, since }, call).catch(unlessAway),
    link.call("list_input_requests", { user_id, state: "open" }, call).catch(unlessAway),
    link.call("list_schedules", { user_id, team_id }, call).catch(unlessAway),
  ]);
  const open = requests?.input_requests ?? [];
  const decided = requests && open.filter((request) => namedDeciders(request).includes(user_id));
  const inputIds = pageOfEntries("inputs", decided, page).map(({ request_id }) => request_id);
  const [threads, cards] = await Promise.all([
    inbox.asked.threadsOf(pageOfEntries("tasks", tasks?.tasks, page), user_id),
    inbox.cardsOf(inputIds, user_id),
  ]);
  const [linkedTasks, inputs] = await Promise.all([
    tasks && linksTo(slack, tasks.tasks, ({ correlation_id }) => threads.get(correlation_id)),
    decided && linksTo(slack, decided, ({ request_id }) => cards.get(inputRecordId(request_id))),
  ]);
  const own = { tasks: linkedTasks, inputs, waitsFor: open, schedules: planned?.schedules };
  return { note, page, agents: agents?.agents, usage, ...own };
}

/** Returns undefined for a part that execution does not return now, or not yet in its version. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof LinkError) && !(error instanceof ZoneError)) throw error;
}

function linksTo<Item>(
  slack: SlackApi,
  items: readonly Item[],
  placeOf: (item: Item) => MessagePlace | undefined,
): Promise<readonly Linked<Item>[]> {
  const linkOf = async (item: Item): Promise<Linked<Item>> => {
    const place = placeOf(item);
    return { item, link: place && (await slack.permalink(place).catch(() => undefined)) };
  };
  return Promise.all(items.map(linkOf));
}
