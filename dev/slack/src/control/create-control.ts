import { createCommandOperations, type CommandOperationsParts } from "../commands/command-operations.ts";
import { createCommandSender } from "../commands/command-sender.ts";
import type { EventDelivery } from "../events/event-delivery.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import type { FaultQueue } from "../web-api/fault-queue.ts";
import type { FileFaults } from "../web-api/file-faults.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { asTraffic } from "./agent-exchange.ts";
import { createAppOperations } from "./app-operations.ts";
import type { Control } from "./control.ts";
import { createDirectoryOperations } from "./directory-operations.ts";
import { createPlaces } from "./find-place.ts";
import { createPersonOperations } from "./person-operations.ts";
import type { Message } from "./protocol.ts";
import { waitForMessage } from "./wait-for-message.ts";

/** The parts that the control API controls. */
export interface ControlParts extends Pick<CommandOperationsParts, "commands" | "responseUrls"> {
  state: WorkspaceState;
  delivery: EventDelivery;
  faults: FaultQueue;
  fileFaults: FileFaults;
  traffic: TrafficLog;
  signingSecret: string;
  /** Timeout for the app's response to forgeries, replays and commands, milliseconds. */
  timeoutMs: number;
}

const DEFAULT_WAIT_MS = 5000;

/** Makes the control API for this process. */
export function createControl(parts: ControlParts): Control {
  const { state, delivery, faults, fileFaults, traffic, signingSecret, timeoutMs } = parts;
  const { workspace } = state.directory;
  const places = createPlaces(state.directory);
  const allMessages = (): Message[] =>
    workspace.channels.flatMap(({ id }) => state.messages.all(id)).toSorted((a, b) => Number(a.ts) - Number(b.ts));
  return {
    ...createPersonOperations(state, delivery.events),
    ...createDirectoryOperations(state.directory),
    ...createAppOperations({
      state,
      signingSecret,
      eventsUrl: () => delivery.eventsUrl(),
      lastSent: () => delivery.lastSent(),
      traffic,
      timeoutMs,
    }),
    ...createCommandOperations({
      ...parts,
      events: delivery.events,
      find: (post) => places.writer(post),
      send: createCommandSender({
        hub: delivery.hub,
        eventsUrl: () => delivery.eventsUrl(),
        signingSecret,
        ackTimeoutMs: timeoutMs,
        now: () => state.clock.seconds(),
      }),
    }),
    workspace: () => structuredClone(workspace),
    setFault: (fault) => {
      faults.add(fault);
      return fault;
    },
    setFileFault: (fault) => {
      fileFaults.add(fault);
      return fault;
    },
    refreshSockets: () => delivery.hub.refresh(),
    setDelivery: (changes) => delivery.dispatcher.setDelivery(changes),
    traffic: () => traffic.entries(),
    showExchange: (exchange) => traffic.record(asTraffic(exchange)),
    subscribe: (listener) => state.feed.subscribe(listener),
    waitForMessage: (predicate, wait = DEFAULT_WAIT_MS) =>
      waitForMessage({ feed: state.feed, all: allMessages }, predicate, wait),
    idle: () => delivery.dispatcher.idle(),
    sendEvent: (event, overrides) => delivery.events.send(event, overrides),
    homeView: (user) => state.homeViews.get(user),
    modals: (user) => state.modals.get(user) ?? [],
    agentView: () => ({ threads: state.statuses.all(), prompts: state.prompts.all() }),
  };
}
