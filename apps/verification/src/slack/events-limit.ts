import { z } from "zod";

const eventsLimit = z.object({
  type: z.literal("app_rate_limited"),
  team_id: z.string(),
  api_app_id: z.string(),
  /** The minute from which Slack drops events, Unix seconds. */
  minute_rate_limited: z.number(),
});

/** Slack's notice that it drops events of one workspace. https://docs.slack.dev/reference/events/app_rate_limited */
export type EventsLimit = Readonly<z.output<typeof eventsLimit>>;

/** Returns undefined for a body that is no such notice. */
export function readEventsLimit(body: Buffer): EventsLimit | undefined {
  try {
    return eventsLimit.safeParse(JSON.parse(body.toString())).data;
  } catch {
    return undefined;
  }
}
