import type { ControlEvent } from "../../protocol/control-api.ts";
import { controlClient } from "./control-client.ts";
import { applyEvent, type PageState, type Store, withAgentView } from "./page-state.ts";

const retryMs = 1000;

/**
 * Keeps the state in sync with the server: applies every event of the control stream. Each time the stream opens, it reads everything
 * again, so that no change is missed. Events that arrive during the read are applied after it; applying one twice is harmless. Retries
 * every second, indefinitely.
 */
export function startLiveUpdates(store: Store<PageState>): void {
  const source = new EventSource("/control/stream");
  let waiting: ControlEvent[] | undefined = [];
  let over = false;

  const retry = (): void => {
    if (over) return;
    over = true;
    source.close();
    store.update((state) => ({ ...state, connection: "lost" }));
    setTimeout(() => startLiveUpdates(store), retryMs);
  };
  source.addEventListener("error", retry);
  const catchUp = async (): Promise<void> => {
    const read = await readAll();
    if (over) return;
    store.update((state) => (waiting ?? []).reduce(applyEvent, { ...state, ...read, connection: "live" }));
    waiting = undefined;
  };
  source.addEventListener("open", () => void catchUp().catch(retry));
  source.addEventListener("message", ({ data }: MessageEvent<string>) => {
    const event = JSON.parse(data) as ControlEvent;
    if (waiting) waiting.push(event);
    else store.update((state) => applyEvent(state, event));
  });
}

type Read = Pick<PageState, "workspace" | "messages" | "traffic" | "statuses" | "views" | "homes">;

async function readAll(): Promise<Read> {
  const [workspace, traffic, agentView] = await Promise.all([
    controlApi.workspace(),
    controlApi.traffic(),
    controlApi.agentView(),
  ]);
  const channels = await Promise.all(
    workspace.channels.map(async ({ id }) => {
      const messages = await controlApi.messages(id);
      return [id, new Map(messages.map((message) => [message.ts, message]))] as const;
    }),
  );
  const people = workspace.users.filter((user) => !user.is_bot);
  const shown = await Promise.all(people.map(async ({ id }) => ({ id, ...(await controlApi.views(id)) })));
  const views = new Map(shown.map((one) => [one.id, one.views]));
  const homes = new Map(shown.flatMap(({ id, home }) => (home === undefined ? [] : [[id, home]])));
  return { workspace, traffic, views, homes, messages: new Map(channels), ...withAgentView(agentView) };
}

/** The requests of the control API. Each rejects with an `Error` whose message is readable for a person. */
export const controlApi = controlClient(request);

async function request<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(
    path,
    body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  ).catch(() => undefined);
  if (!response) throw new Error("The local Slack does not respond. Is it still running?");
  const answer = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  if (response.ok && answer !== undefined) return answer as T;
  throw new Error(answer?.error?.message ?? `The local Slack responded with HTTP ${response.status}.`);
}
