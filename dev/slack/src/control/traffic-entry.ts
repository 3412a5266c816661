/** One recorded request or event, with secrets redacted. */
export interface TrafficEntry {
  id: number;
  /** Unix milliseconds. */
  at: number;
  kind: "event" | "web_api" | "rpc" | "agent";
  /** Event type, Web API method, JSON-RPC method, or agent and operation. */
  name: string;
  /** HTTP status of the response; 0 without one. */
  status: number;
  ms: number;
  /** The outcome in a few words, e.g. `accepted`, `refused: 401`, `retry 2 after http_timeout`. */
  verdict: string;
  request: unknown;
  response: unknown;
  /** The events of a streamed response before its end, oldest first. */
  events?: unknown[];
}
