import type { AgentTestExchange } from "@crosszone/contracts";
import { harmlessLine } from "./harmless.ts";

/** Maximum characters of a body to show. */
const mostCharacters = 1_500;

/** Returns a request to an agent and its response as text, one line each. */
export function exchangeText({
  operation,
  request,
  status,
  response,
  problem,
  ...exchange
}: AgentTestExchange): string {
  const came = `< ${status === undefined ? "no answer" : `HTTP ${status}`} (${exchange.duration_ms} ms)`;
  const lines = [
    ...(request === undefined ? [] : [`> ${operation} (${exchange.protocol})`, `  ${bodyText(request)}`]),
    came,
    ...(response === undefined ? [] : [`  ${bodyText(response)}`]),
    ...(problem === undefined ? [] : [`! ${problem}`]),
  ];
  return `${lines.map(harmlessLine).join("\n")}\n`;
}

function bodyText(body: unknown): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}… (${text.length} characters)` : text;
}
