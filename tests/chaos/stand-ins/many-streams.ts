/**
 * Replaces the numbers with which verification keeps Slack's limits for a workspace. With 20 streams a minute, few answers would be streaming
 * when something breaks. The local Slack of a run has no such limits.
 */
export const streamPlaces = 300;
export const placeMs = 360_000;
export const restMs = 1_000;
export const appendEveryMs = 20;
