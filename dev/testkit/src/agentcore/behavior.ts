import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { refusalByStatus, refuse } from "./aws-refusal.ts";

/** What the stand-in does with an invocation instead of handing it to its container. */
export type Behavior =
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
  behavior: Behavior | undefined,
  response: ServerResponse,
  handOn: (how: { readonly lose: boolean }) => Promise<number>,
): Promise<number> {
  if (behavior === undefined) return handOn({ lose: false });
  if ("lose" in behavior) return handOn(behavior);
  if ("delayMs" in behavior) {
    await setTimeout(behavior.delayMs);
    return handOn({ lose: false });
  }
  if ("refuse" in behavior) {
    const status = behavior.refuse;
    refuse(response, { status, name: refusalByStatus[status], message: `told to answer ${status}` });
    return status;
  }
  if ("body" in behavior) {
    const { status = 200, contentType = "application/json", body } = behavior;
    response.writeHead(status, { "content-type": contentType });
    for (const chunk of typeof body === "string" ? [body] : body) {
      response.write(chunk);
      await setTimeout(2);
    }
    response.end();
    return status;
  }
  if ("endless" in behavior) {
    response.writeHead(200, { "content-type": behavior.endless });
    const timer = setInterval(() => response.write("x".repeat(1_000)), 1);
    response.once("close", () => clearInterval(timer));
    return 200;
  }
  const where = "cut" in behavior ? behavior.cut : behavior.silent;
  if (where === "within") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write("{");
    await setTimeout(5);
  }
  if ("cut" in behavior) response.destroy();
  return 0;
}
