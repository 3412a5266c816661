import type { ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import type { Health, Logger, Metrics, Purge } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { Logger as SlackLogger, Receiver } from "@slack/bolt";
import type { Clock } from "./time/clock.ts";
import type { ResponseUrls } from "./slack/response-urls.ts";
import type { FileHost } from "./slack/files/file-host.ts";
import type { FileRouteDeps } from "./edge/files/file-route.ts";
import type { HandleStore } from "./zone-link/handles/handle-store.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { InstallerOptions } from "./edge/install/create-installer.ts";
import type { Installation, InstallationStore } from "./workspaces/installations/installation-store.ts";
import type { ThreadStore } from "./inbox/thread-store.ts";
import type { VerificationEvent } from "./ops/observers/log-events.ts";
import type { PolicySource } from "./policy/access-policy.ts";
import type { PolicyLimits } from "./policy/create-policies.ts";
import type { SlackApi } from "./slack/slack-api.ts";
import type { StreamPace } from "./answering/streams/stream-pace.ts";
import type { AskFlowTimes } from "./answering/questions/question-flow.ts";

/** How events arrive: as signed HTTP requests, or over a socket that this zone opens. */
export type SlackIntake =
  | { readonly mode: "http"; readonly signingSecret: string }
  | {
      readonly mode: "socket";
      /** `onLost` is called when the socket closes unexpectedly; `start` then opens another. */
      readonly createReceiver: (options: {
        logger: SlackLogger;
        onFailure: (error: unknown) => void;
        onLost: () => void;
      }) => Receiver;
    };

/** The connection to one workspace's Slack. */
export interface SlackLink {
  readonly slack: SlackApi;
  readonly fileHost: FileHost;
  /** The bot's token, sent with tasks instead of a handle, for execution zones that need it. */
  readonly forwardedToken?: () => string;
}

/** The workspace of the bot's token, or the workspaces that have installed the app. */
export type Workspaces =
  | { readonly mode: "single"; readonly link: SlackLink }
  | {
      readonly mode: "installed";
      readonly installations: InstallationStore;
      /** Returns the connection to Slack with the tokens of an installation. */
      readonly linkOf: (installation: Installation) => SlackLink;
      readonly installing: InstallerOptions;
    };

/** All external dependencies of the verification zone. Times are in milliseconds, sizes in bytes. */
export interface VerificationDeps {
  readonly intake: SlackIntake;
  readonly workspaces: Workspaces;
  /** Posts the answers to slash commands. */
  readonly responseUrls: ResponseUrls;
  readonly zone: Client<ZoneMethods>;
  readonly inbox: Inbox;
  readonly threads: ThreadStore;
  readonly handles: HandleStore;
  /** Paces streamed answers. Answers are not streamed when absent. */
  readonly streamPace?: StreamPace | undefined;
  /** Rows to delete when they expire; none when absent. */
  readonly purges?: readonly Purge[];
  readonly clock: Clock;
  /** Makes UUIDs. */
  readonly newId: () => string;
  readonly logger: Logger<VerificationEvent>;
  readonly metrics: Metrics;
  readonly health: Health;
  /** The policy: who can ask. */
  readonly policy: PolicySource;
  /** Tracing is off when absent. */
  readonly tracer?: Tracer;
  readonly limits: AskFlowTimes & {
    /** The limits that the policy's rules enforce. */
    readonly policy: PolicyLimits;
    /** The app whose events are accepted. When absent, the zone asks Slack for its app id. */
    readonly appId?: string | undefined;
    /** Maximum size of a request body from Slack. */
    readonly maxBytes: number;
    /** Maximum nesting of arrays and objects in a request body. */
    readonly maxDepth: number;
    /** Maximum number of questions processed at the same time. */
    readonly concurrency: number;
    readonly files: FileRouteDeps["limits"] & FileRouteDeps["rules"];
  };
}
