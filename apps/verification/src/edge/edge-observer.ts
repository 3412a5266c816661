import type { IncomingMessage, ServerResponse } from "node:http";
import type { EventDelivery } from "./events/bolt-app.ts";
import type { IntakeResult } from "./events/event-intake.ts";
import type { SlackEnvelope } from "./events/slack-event.ts";
import type { FileEnd } from "./files/file-route.ts";
import type { InstallEnd } from "./install/install-refusal.ts";

/** How events arrive: as signed HTTP requests, or over a socket that this zone opens. */
export type IntakeMode = "http" | "socket";

/** Receives the events of requests from Slack, browsers and execution. */
export interface EdgeObserver {
  readonly requestAnswered: (durationMs: number) => void;
  /** Runs the receipt of an event in a span, whose trace context the record carries through the inbox. */
  readonly traceEvent: (
    envelope: SlackEnvelope,
    delivery: EventDelivery,
    receive: (traceparent: string | undefined) => Promise<IntakeResult>,
  ) => Promise<IntakeResult>;
  readonly eventJudged: (envelope: SlackEnvelope, result: IntakeResult, delivery: EventDelivery) => void;
  readonly eventNotStored: (error: unknown) => void;
  /** Runs a request for a file in a span, whose parent is the task's span. */
  readonly traceFile: (request: IncomingMessage, response: ServerResponse, serve: () => Promise<void>) => Promise<void>;
  readonly fileEnded: (end: FileEnd) => void;
  /** An install flow ended in the browser. */
  readonly installEnded: (end: InstallEnd, requestId: string) => void;
  readonly installationRemoved: (id: string) => void;
}
