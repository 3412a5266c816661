import type { Fire, HookForm } from "@crosszone/contracts";
import { signWebhook } from "@crosszone/service-kit/webhooks";
import { tempFile } from "@crosszone/testkit/temporary";
import type { Agent } from "../agents/agent.ts";
import { type RawRequest, serveAsk } from "./start-ask.ts";
import { startZone, type ZoneOptions } from "./start-zone.ts";

export const adminToken = "an-admin-token-of-32-characters-x";
export const hookSecret = "It's a Secret to Everybody";
/** Of another hook. */
export const otherSecret = "8f742231b10e8888abcd99yyyzzz85a5";

export type HookZone = Awaited<ReturnType<typeof startHooks>>;

/** Starts a zone with this EXECUTION_FILE on a listener of its own. Ends with the test. */
export async function startHooks(file: string, agents: readonly Agent[], options: ZoneOptions = {}) {
  const path = tempFile("hooks.yaml", file);
  const secrets = { AGENT_SECRET_GITHUB: hookSecret, AGENT_SECRET_OTHER: otherSecret };
  const env = { ASK_PORT: "0", EXECUTION_FILE: path, ADMIN_TOKENS: adminToken, ...secrets };
  const zone = await startZone(agents, { ...options, env: { ...env, ...options.env } });
  const { send: sendTo, at } = await serveAsk(zone.programs, zone.app.badRequest);

  /** Sends it as JSON unless the headers have a content type. */
  const send = async (name: string, { body = "{}", headers = [], ...rest }: RawRequest = {}) => {
    const type = headers.some((text) => text.toLowerCase() === "content-type")
      ? []
      : ["content-type", "application/json"];
    const length = headers.includes("transfer-encoding") ? [] : ["content-length", String(Buffer.byteLength(body))];
    return sendTo(`/hooks/${name}`, { ...rest, body, headers: [...type, ...length, ...headers] });
  };
  /** Returns what a sender adds to a body. */
  const signed = (
    body: string | Uint8Array,
    {
      form = { kind: "github" },
      secret = hookSecret,
      id = "d1",
      now = Date.now(),
    }: {
      readonly form?: HookForm;
      readonly secret?: string;
      readonly id?: string;
      readonly now?: number;
    } = {},
  ): string[] => Object.entries(signWebhook(form, secret, { body: Buffer.from(body), id, now })).flat();
  return {
    ...zone,
    path,
    /** The URL of the listener. */
    at,
    send,
    signed,
    /** Signs a value as JSON as GitHub does, and sends it. */
    deliver: (name: string, value: unknown, ...headers: readonly string[]) => {
      const body = JSON.stringify(value);
      return send(name, { body, headers: [...signed(body), ...headers] });
    },
    fires: async (): Promise<readonly Fire[]> => {
      const answer = await zone.call("list_fires", { team_ids: ["T1"] });
      return (answer as never as { readonly result: { readonly fires: readonly Fire[] } }).result.fires;
    },
    /** The reasons in the audit log and in the log. */
    refusals: async () => ({
      audited: (await zone.acts()).flatMap((act) =>
        act.action === "hook.deliver" && act.outcome === "rejected"
          ? [`${act.target.id} ${act.details?.["because"]}`]
          : [],
      ),
      logged: zone.log.flatMap(({ event, hook, reason }) =>
        event === "hook_refused" ? [`${String(hook)} ${String(reason)}`] : [],
      ),
    }),
  };
}
