/** The right to one live streamed message. */
export interface StreamPlace {
  readonly team_id: string;
  readonly place: number;
  /** When the place becomes free by itself, unix milliseconds. */
  readonly free_at: number;
}

/**
 * When the streams of a workspace can begin and grow. Slack limits each method per workspace: 20 starts, 20 stops and 100 appends a
 * minute. All processes of the zone share the limits. https://docs.slack.dev/apis/web-api/rate-limits
 *
 * A workspace has 20 places. A stream occupies a place while it is live and for a minute after its end. So in any minute at most 20
 * streams start, at most 20 stop, and a stream that started can always be stopped.
 */
export interface StreamPace {
  /** Takes a place; undefined when none is free. */
  begin(team_id: string): Promise<StreamPlace | undefined>;
  /** Ends the use of a place. The place is free a minute later. */
  end(place: StreamPlace): Promise<void>;
  /** Takes the next turn to append. Returns how long to wait for the turn, milliseconds. */
  turn(team_id: string): Promise<number>;
  /** Postpones all turns of the workspace that are not taken yet by this time, milliseconds. */
  pause(team_id: string, ms: number): Promise<void>;
}

export const streamPlaces = 20;
/** Slack ends a stream after about five minutes. A place that no process has released becomes free some time later, milliseconds. */
export const placeMs = 6 * 60_000;
/** How long a place stays occupied after the end of its stream, milliseconds. */
export const restMs = 60_000;
/** The time between two appends of a workspace, milliseconds. */
export const appendEveryMs = 600;
