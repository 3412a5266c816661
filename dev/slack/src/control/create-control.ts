import { type CommandOperationsParts, createCommandOperations } from "../commands/command-operations.ts";
import { createActOperations } from "../interactivity/act-operations.ts";
import { createInteractionSender } from "../interactivity/send-interaction.ts";
import { createViewOperations } from "../interactivity/view-operations.ts";
import type { EventDelivery } from "../events/event-delivery.ts";
import type { Warning } from "../protocol/interactivity.ts";
import type { Message } from "../protocol/workspace.ts";
import { asTraffic, type TrafficLog } from "../traffic/traffic-log.ts";
import type { FaultQueue } from "../web-api/web-api-routes.ts";
import type { FileFaults } from "../web-api/file-routes.ts";
import type { ChangeFeed } from "../workspace/change-feed.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { Control } from "./control.ts";
import { createDirectoryOperations, createPersonOperations, createPlaces } from "./person-operations.ts";

/**
 * Resolves with the first message, existing or future, for which the predicate is true. Rejects at the timeout and names the newest
 * messages. `all` returns every existing message, oldest first.
 */
function waitForMessage(
  { feed, all }: { feed: ChangeFeed; all: () => Message[] },
  predicate: (message: Message) => boolean,
  timeoutMs: number,
): Promise<Message> {
  const present = all().find(predicate);
  if (present) return Promise.resolve(present);
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const stop = feed.subscribe((event) => {
    if ((event.type === "message" || event.type === "message_changed") && predicate(event.message))
      resolve(event.message);
  });
  const timer = setTimeout(() => {
    const newest = all()
      .slice(-5)
      .map(({ channel, user, text }) => `${user} in ${channel}: ${text.slice(0, 200)}`);
    reject(new Error(`no matching message within ${timeoutMs} ms; the newest are:\n${newest.join("\n") || "(none)"}`));
  }, timeoutMs);
  return promise.finally(() => {
    stop();
    clearTimeout(timer);
  });
}

/** The parts that the control API controls. */
export interface ControlParts extends Pick<CommandOperationsParts, "commands" | "responseUrls"> {
  state: WorkspaceState;
  delivery: EventDelivery;
  faults: FaultQueue;
  fileFaults: FileFaults;
  traffic: TrafficLog;
}

const DEFAULT_WAIT_MS = 30_000;

/** Makes the control API for this process. */
export function createControl(parts: ControlParts): Control {
  const { state, delivery, faults, fileFaults, traffic } = parts;
  const { workspace } = state.directory;
  const places = createPlaces(state.directory);
  const { send } = delivery;
  const warnings: Warning[] = [];
  const interact = createInteractionSender({ state, traffic, send, warnings });
  const allMessages = (): Message[] =>
    workspace.channels.flatMap(({ id }) => state.messages.all(id)).toSorted((a, b) => Number(a.ts) - Number(b.ts));
  return {
    ...createPersonOperations(state, delivery.events),
    ...createDirectoryOperations(state),
    ...createCommandOperations({ ...parts, events: delivery.events, find: (post) => places.writer(post), send }),
    ...createActOperations({
      ...parts,
      send: interact,
      find: ({ user, channel }) =>
        channel === undefined ? { user: places.user(user), channel } : places.writer({ user, channel }),
    }),
    ...createViewOperations({
      state,
      events: delivery.events,
      send: interact,
      person: (idOrName) => places.user(idOrName),
    }),
    warnings: () => [...warnings],
    workspace: () => structuredClone(workspace),
    setFault: (fault) => {
      faults.add(fault);
      return fault;
    },
    setFileFault: (fault) => {
      fileFaults.add(fault);
      return fault;
    },
    outage: () => ({ ...state.outage }),
    setOutage: (changes) => {
      const outage = { ...Object.assign(state.outage, changes) };
      if (outage.kind === "away") delivery.hub.disconnect();
      state.feed.publish({ type: "outage", outage });
      return outage;
    },
    setSocketMode: (changes) => delivery.hub.setMode(changes),
    disconnectSockets: (reason) => delivery.hub.end(reason),
    sendFrame: (frame) => delivery.hub.sendFrame(frame),
    setUnlisted: (unlisted) => {
      workspace.app.unlisted = unlisted;
    },
    setDelivery: (changes) => delivery.dispatcher.setDelivery(changes),
    traffic: () => traffic.entries(),
    showExchange: (exchange) => traffic.record(asTraffic(exchange)),
    subscribe: (listener) => state.feed.subscribe(listener),
    waitForMessage: (predicate, wait = DEFAULT_WAIT_MS) =>
      waitForMessage({ feed: state.feed, all: allMessages }, predicate, wait),
    idle: () => delivery.dispatcher.idle(),
    sendEvent: (event, overrides) => delivery.events.send(event, overrides),
    agentView: () => ({ threads: state.statuses.all() }),
  };
}
