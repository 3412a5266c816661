import { methodOf, type WireExchange } from "../wire/wire-exchange.ts";

/** Shows an exchange of the terminal in the Traffic tab of the local Slack. The zone shows its own ones there. */
export function showInSlack(slackUrl: string, name: string, exchange: WireExchange): void {
  const { at, request, status, response, events, duration_ms = 0, problem } = exchange;
  const method = methodOf(exchange);
  const shown = {
    agent_name: name,
    correlation_id: "crosszone agent dev",
    at,
    operation: "send",
    duration_ms,
    request,
    protocol: method === undefined ? "simple-a2a" : /^[A-Z]/.test(method) ? "a2a-1.0" : "jsonrpc-2.0",
    ...(status !== undefined && { status }),
    ...((response ?? events) !== undefined && { response: response ?? events?.map(({ data }) => data) }),
    ...(problem !== undefined && { problem }),
  };
  const headers = { "content-type": "application/json" };
  // Only for looking at: a local Slack that is gone changes nothing.
  fetch(`${slackUrl}/control/agent-exchanges`, { method: "POST", headers, body: JSON.stringify(shown) }).catch(
    () => undefined,
  );
}
