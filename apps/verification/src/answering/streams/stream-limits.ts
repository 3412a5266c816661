// A module of these numbers alone, so that they can be replaced where Slack's limits don't apply.

/** How many streams a workspace has at a time: Slack's limits allow no more. */
export const streamPlaces = 20;
/** Slack ends a stream after about five minutes. A place that no process has released becomes free some time later, milliseconds. */
export const placeMs = 6 * 60_000;
/** How long a place stays occupied after the end of its stream, milliseconds. */
export const restMs = 60_000;
/** The time between two appends of a workspace, milliseconds. */
export const appendEveryMs = 600;
