import type { ControlEvent } from "../../protocol/control-api.ts";
import { controlApi } from "./control-api.ts";
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

type Read = Pick<PageState, "workspace" | "messages" | "traffic" | "statuses" | "titles" | "prompts">;

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
  return { workspace, traffic, messages: new Map(channels), ...withAgentView(agentView) };
}
