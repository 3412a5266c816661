import type { ZoneAudit } from "@crosszone/audit";
import type { ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import type { Health, Logger, Metrics, Purge } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { MessageEnds } from "./answering/message-ends.ts";
import type { StreamPace } from "./answering/streams/stream-pace.ts";
import type { InstallerOptions } from "./edge/install/create-installer.ts";
import type { SlackIntake } from "./edge/slack-connection.ts";
import type { ResponseUrls } from "./slack/response-urls.ts";
import type { InstalledWorkspaces, SingleWorkspace } from "./workspaces/workspaces.ts";
import type { Handles } from "./zone-link/handles/handles.ts";
import type { ZoneParts } from "./workspaces/zone-parts.ts";

/** The workspace of the bot's token, or the workspaces that have installed the app. */
export type WorkspaceSource = SingleWorkspace | (InstalledWorkspaces & { readonly installing: InstallerOptions });

/** All external dependencies of the verification zone. */
export interface VerificationDeps extends Omit<ZoneParts, "emit" | "recordAct" | "tracer"> {
  readonly intake: SlackIntake;
  readonly workspaces: WorkspaceSource;
  /** The app whose events are accepted. When absent, the zone asks Slack for its app id. */
  readonly appId?: string;
  /** Posts the answers to slash commands. */
  readonly responseUrls: ResponseUrls;
  readonly zone: Client<ZoneMethods>;
  /** Closed before the database. */
  readonly audit: ZoneAudit;
  readonly handles: Handles;
  /** Paces streamed answers. Answers are not streamed when absent. */
  readonly streamPace?: StreamPace;
  /** Stores what became of messages; not stored when absent. */
  readonly messages?: MessageEnds;
  /** Rows to delete when they expire; none when absent. */
  readonly purges?: readonly Purge[];
  readonly logger: Logger<VerificationEvent>;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Tracing is off when absent. */
  readonly tracer?: Tracer;
}
