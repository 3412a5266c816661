import type { ResponseUrlStore } from "../commands/command-replies.ts";
import type { AppSender } from "../events/app-sender.ts";
import type { Warning } from "../protocol/control-api.ts";
import type { Channel, User } from "../protocol/workspace.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { type ActOperations, createActOperations } from "./act-operations.ts";
import { createInteractionSender } from "./send-interaction.ts";
import { createViewOperations, type ViewOperations } from "./view-operations.ts";

/** The parts of interactivity. */
export interface InteractivityParts {
  readonly state: WorkspaceState;
  readonly traffic: TrafficLog;
  readonly responseUrls: ResponseUrlStore;
  readonly send: AppSender;
  readonly places: {
    readonly user: (idOrName: string) => User;
    readonly writer: (place: { channel: string; user?: string }) => { user: User; channel: Channel };
  };
}

const MOST_WARNINGS = 100;

/** Makes what people do with buttons, menus and modals, and the list of the warning signs that they saw. */
export function createInteractivity(
  parts: InteractivityParts,
): ActOperations & ViewOperations & { warnings: () => Warning[] } {
  const { state, places } = parts;
  const warnings: Warning[] = [];
  const send = createInteractionSender({
    ...parts,
    warn: (warning) => {
      warnings.push(warning);
      if (warnings.length > MOST_WARNINGS) warnings.shift();
      state.feed.publish({ type: "warning", warning });
    },
  });
  return {
    ...createActOperations({
      ...parts,
      send,
      find: ({ user, channel }) =>
        channel === undefined ? { user: places.user(user), channel } : places.writer({ user, channel }),
    }),
    ...createViewOperations({ state, send, person: (idOrName) => places.user(idOrName) }),
    warnings: () => [...warnings],
  };
}
