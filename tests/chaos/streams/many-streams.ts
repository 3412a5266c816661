/**
 * Stands in for the numbers of verification that keep Slack's limits for a workspace: with twenty streams a minute, few would be there when
 * something breaks. The local Slack of a run has no such limits.
 */
export const streamPlaces = 300;
export const placeMs = 360_000;
export const restMs = 1_000;
export const appendEveryMs = 20;
