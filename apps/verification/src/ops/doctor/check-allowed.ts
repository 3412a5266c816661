import { failed, passed, skipped, warned, type Check, type Finding } from "@crosszone/ops/doctor";
import { z } from "zod";
import type { AccessPolicy } from "../../policy/access-policy.ts";
import type { SlackProbe, SlackProbeAnswer } from "./slack-probe.ts";

/** Slack allows about fifty calls of a method a minute, so a longer list is checked in part. */
const mostTried = 40;

/** How to look up one kind of id, and what can be wrong with one that exists. */
interface Lookup {
  readonly name: string;
  readonly ids: (policy: AccessPolicy) => ReadonlySet<string>;
  readonly method: string;
  readonly argument: string;
  /** Returns why the policy still denies the id; undefined when it is allowed. */
  readonly oddity: (body: SlackProbeAnswer["body"], policy: AccessPolicy) => string | undefined;
}

const flag = z.boolean().default(false);
const channelAnswer = z.object({
  channel: z.object({ is_archived: flag, is_ext_shared: flag, is_member: flag, is_im: flag }),
});
const userAnswer = z.object({
  user: z.object({ deleted: flag, is_bot: flag, is_restricted: flag, is_ultra_restricted: flag }),
});

const lookups: readonly Lookup[] = [
  {
    name: "allowed teams",
    ids: ({ allowed_teams }) => allowed_teams,
    method: "team.info",
    argument: "team",
    oddity: () => undefined,
  },
  {
    name: "allowed channels",
    ids: ({ allowed_channels }) => new Set([...allowed_channels].filter((id) => id !== "dm")),
    method: "conversations.info",
    argument: "channel",
    oddity: (body, policy) => {
      const channel = channelAnswer.safeParse(body).data?.channel;
      if (channel?.is_archived) return "is archived";
      if (channel?.is_ext_shared && !policy.allow_shared_channels)
        return "is shared, and shared channels are not allowed";
      return channel !== undefined && !channel.is_member && !channel.is_im
        ? "does not have the app as a member"
        : undefined;
    },
  },
  {
    name: "allowed users",
    ids: ({ allowed_users }) => allowed_users,
    method: "users.info",
    argument: "user",
    oddity: (body, policy) => {
      const user = userAnswer.safeParse(body).data?.user;
      if (user?.deleted) return "is deactivated";
      if (user?.is_bot) return "is a bot";
      const guest = user?.is_restricted || user?.is_ultra_restricted;
      return guest && !policy.allow_guests ? "is a guest, and guests are not allowed" : undefined;
    },
  },
];

export interface AllowedOptions {
  /** Read when the check runs. */
  readonly policy: () => AccessPolicy;
  readonly token: string;
  readonly probe: SlackProbe;
}

/** Checks that Slack knows each listed team, channel and user, and that the policy allows them. */
export function checkAllowed(options: AllowedOptions, reads: readonly string[]): Check[] {
  return lookups.map((lookup) => ({
    name: lookup.name,
    needs: ["slack token"],
    reads,
    run: (signal) => tryAll(lookup, options, signal),
  }));
}

async function tryAll(
  lookup: Lookup,
  { policy: current, token, probe }: AllowedOptions,
  signal: AbortSignal,
): Promise<Finding> {
  const policy = current();
  const ids = [...lookup.ids(policy)];
  if (ids.length === 0) return skipped("the list is empty");
  const unknown: string[] = [];
  const odd: string[] = [];
  for (const id of ids.slice(0, mostTried)) {
    signal.throwIfAborted();
    const { ok, error = "", body } = await probe.call(lookup.method, { token, args: { [lookup.argument]: id } });
    if (!ok && !error.endsWith("_not_found")) return skipped(`Slack rejects ${lookup.method}: ${error}`);
    const oddity = ok ? lookup.oddity(body, policy) : undefined;
    if (!ok) unknown.push(`Slack does not know ${id}: correct or remove it.`);
    else if (oddity !== undefined) odd.push(`${id} ${oddity}.`);
  }
  const rest = ids.length > mostTried ? `; ${ids.length - mostTried} more were not checked` : "";
  if (unknown.length > 0)
    return failed(`${unknown.length} of ${ids.length} cannot be found${rest}`, ...unknown, ...odd);
  if (odd.length > 0) return warned(`${odd.length} of ${ids.length} are still denied${rest}`, ...odd);
  return passed(`Slack knows ${ids.length === 1 ? "the one" : `all ${ids.length}`}${rest}`);
}
