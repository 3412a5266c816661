import type { AnsweringObserver } from "../../answering/answering-observer.ts";
import type { CommandObserver } from "../../answering/commands/command-observer.ts";
import type { EdgeObserver } from "../../edge/edge-observer.ts";
import type { InboxObserver } from "../../inbox/inbox-work.ts";
import type { Inbox } from "../../inbox/inbox.ts";
import type { PolicyObserver } from "../../policy/policies.ts";
import type { SlackObserver } from "../../slack/observed-slack.ts";
import type { WorkspacesObserver } from "../../workspaces/workspace-context.ts";
import type { ZoneLinkObserver } from "../../zone-link/observed-zone.ts";
import type { ObserverDeps } from "./observer-deps.ts";
import { observeAnswering } from "./observe-answering.ts";
import { observeCommands } from "./observe-commands.ts";
import { observeEdge } from "./observe-edge.ts";
import { observeInbox } from "./observe-inbox.ts";
import { observePolicy } from "./observe-policy.ts";
import { observeSlack } from "./observe-slack.ts";
import { observeWorkspaces } from "./observe-workspaces.ts";
import { observeZoneLink } from "./observe-zone-link.ts";

/** The observer of each room. */
export interface Observers {
  readonly edge: EdgeObserver;
  readonly answering: AnsweringObserver;
  readonly commands: CommandObserver;
  readonly workspaces: WorkspacesObserver;
  readonly policy: PolicyObserver;
  readonly inbox: InboxObserver;
  readonly zoneLink: ZoneLinkObserver;
  readonly slack: SlackObserver;
}

export interface ObserversOptions extends ObserverDeps {
  /** Read when metrics are scraped. */
  readonly inbox: Pick<Inbox, "load">;
  readonly running: { readonly size: number };
}

/** Makes every observer. Their metrics can be registered once in a registry. */
export function createObservers(options: ObserversOptions): Observers {
  return {
    edge: observeEdge(options),
    answering: observeAnswering(options, options.running),
    commands: observeCommands(options),
    workspaces: observeWorkspaces(options),
    policy: observePolicy(options),
    inbox: observeInbox(options, options.inbox),
    zoneLink: observeZoneLink(options),
    slack: observeSlack(options),
  };
}
