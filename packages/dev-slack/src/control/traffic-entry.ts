/** One thing that crossed a wire, secrets already redacted. */
export interface TrafficEntry {
  id: number;
  /** Unix milliseconds. */
  at: number;
  kind: "event" | "web_api" | "rpc" | "agent";
  /** Event type, Web API method, JSON-RPC method, or agent and operation. */
  name: string;
  /** HTTP status of the answer; 0 when none came. */
  status: number;
  ms: number;
  /** One sentence: what became of it, e.g. `accepted`, `refused: 401`, `retry 2 after http_timeout`. */
  verdict: string;
  request: unknown;
  response: unknown;
  /** What a streamed answer said before its end, oldest first. */
  events?: unknown[];
}
