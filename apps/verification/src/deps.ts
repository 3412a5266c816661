import type { ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import type { Health, Logger, Metrics, Purge } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { Logger as SlackLogger, Receiver } from "@slack/bolt";
import type { Clock } from "./clock.ts";
import type { ResponseUrls } from "./commands/response-urls.ts";
import type { FileHost } from "./files/file-host.ts";
import type { FileRouteDeps } from "./files/file-route.ts";
import type { HandleStore } from "./handles/handle-store.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { InstallerOptions } from "./installations/create-installer.ts";
import type { Installation, InstallationStore } from "./installations/installation-store.ts";
import type { ThreadStore } from "./inbox/thread-store.ts";
import type { VerificationEvent } from "./log-events.ts";
import type { PolicySource } from "./policies/access-policy.ts";
import type { PolicyLimits } from "./policies/create-policies.ts";
import type { SlackApi } from "./slack/slack-api.ts";
import type { AskFlowTimes } from "./tasks/ask-flow.ts";

/** How events come in: signed HTTP requests, or a socket that this side opens. */
export type SlackIntake =
  | { readonly mode: "http"; readonly signingSecret: string }
  | {
      readonly mode: "socket";
      /** `onLost` is told when the socket is gone though nobody stopped it; `start` then opens another. */
      readonly createReceiver: (options: {
        logger: SlackLogger;
        onFailure: (error: unknown) => void;
        onLost: () => void;
      }) => Receiver;
    };

/** One workspace's way to Slack. */
export interface SlackLink {
  readonly slack: SlackApi;
  readonly fileHost: FileHost;
  /** The bot's token, for tasks to carry it instead of a handle; only for a peer that needs it. */
  readonly forwardedToken?: () => string;
}

/** Where the app answers: in the workspace of its token, or in those that have installed it. */
export type Workspaces =
  | { readonly mode: "single"; readonly link: SlackLink }
  | {
      readonly mode: "installed";
      readonly installations: InstallationStore;
      /** The way to Slack with the tokens of an installation. */
      readonly linkOf: (installation: Installation) => SlackLink;
      readonly installing: InstallerOptions;
    };

/** All that the verification zone needs of the outside. Times are in milliseconds, sizes in bytes. */
export interface VerificationDeps {
  readonly intake: SlackIntake;
  readonly workspaces: Workspaces;
  /** Where answers to slash commands go. */
  readonly responseUrls: ResponseUrls;
  readonly zone: Client<ZoneMethods>;
  readonly inbox: Inbox;
  readonly threads: ThreadStore;
  readonly handles: HandleStore;
  /** What is forgotten by itself; nothing when absent. */
  readonly purges?: readonly Purge[];
  readonly clock: Clock;
  /** Makes UUIDs. */
  readonly newId: () => string;
  readonly logger: Logger<VerificationEvent>;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Who may ask. */
  readonly policy: PolicySource;
  /** Nothing is traced when absent. */
  readonly tracer?: Tracer;
  readonly limits: AskFlowTimes & {
    /** How much may be asked. */
    readonly policy: PolicyLimits;
    /** The app whose events are accepted. When absent, Slack is asked for the app id. */
    readonly appId?: string | undefined;
    /** Largest request body from Slack. */
    readonly maxBytes: number;
    /** Levels of arrays and objects in one. */
    readonly maxDepth: number;
    /** Questions that are worked on at the same time. */
    readonly concurrency: number;
    /** How long the inbox leases a record. */
    readonly leaseMs: number;
    readonly files: FileRouteDeps["limits"] & FileRouteDeps["rules"];
  };
}
