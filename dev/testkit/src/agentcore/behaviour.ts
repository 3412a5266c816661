import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { refusalByStatus, refuse } from "./aws-refusal.ts";

/** What the stand-in does with an invocation instead of handing it to its container. */
export type Behaviour =
  /** AWS's documented error with this status. */
  | { readonly refuse: keyof typeof refusalByStatus }
  /** Any answer at all. Several chunks are sent one after the other. */
  | { readonly status?: number; readonly contentType?: string; readonly body: string | readonly string[] }
  /** Takes the request and says nothing: before the head of an answer, or after a part of its body. */
  | { readonly silent: "before" | "within" }
  /** Ends the connection instead. */
  | { readonly cut: "before" | "within" }
  /** Hands it on, and ends the connection instead of giving the answer back. */
  | { readonly lose: true }
  /** Forwards it after this delay, milliseconds. */
  | { readonly delayMs: number }
  /** Sends bytes until the client disconnects. */
  | { readonly endless: string };

/** Does it. `handOn` gives the invocation to its container. Resolves with the status that was answered, 0 for none. */
export async function behave(
  behaviour: Behaviour | undefined,
  response: ServerResponse,
  handOn: (how: { readonly lose: boolean }) => Promise<number>,
): Promise<number> {
  if (behaviour === undefined) return handOn({ lose: false });
  if ("lose" in behaviour) return handOn(behaviour);
  if ("delayMs" in behaviour) {
    await setTimeout(behaviour.delayMs);
    return handOn({ lose: false });
  }
  if ("refuse" in behaviour) {
    const status = behaviour.refuse;
    refuse(response, { status, name: refusalByStatus[status], message: `told to answer ${status}` });
    return status;
  }
  if ("body" in behaviour) {
    const { status = 200, contentType = "application/json", body } = behaviour;
    response.writeHead(status, { "content-type": contentType });
    for (const chunk of typeof body === "string" ? [body] : body) {
      response.write(chunk);
      await setTimeout(2);
    }
    response.end();
    return status;
  }
  if ("endless" in behaviour) {
    response.writeHead(200, { "content-type": behaviour.endless });
    const timer = setInterval(() => response.write("x".repeat(1_000)), 1);
    response.once("close", () => clearInterval(timer));
    return 200;
  }
  const where = "cut" in behaviour ? behaviour.cut : behaviour.silent;
  if (where === "within") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write("{");
    await setTimeout(5);
  }
  if ("cut" in behaviour) response.destroy();
  return 0;
}
