import type { Channel, User, Workspace } from "../protocol/workspace.ts";

const ALICE = "U0ALICE0001";
const BOB = "U0BOB000001";
const CHIYO = "U0CHIYO0001";
const GUEST = "U0GUEST0001";
const GONE = "U0GONE00001";
const PARTNER = "U0PARTNER01";
const STRANGER = "U0STRANGER1";
const DEPLOYBOT = "U0DEPLOYBOT";
const PARTNERS = "T0PARTNERS1";
const OTHERS = "T0OTHERTEAM";

/** The names and ids that differ between workspaces. */
export interface WorkspaceNames {
  team_id: string;
  name: string;
  /** The app's tokens are of this organization. */
  organization?: Workspace["organization"];
  /** The app's bot in it. */
  bot_user_id: string;
  bot_id: string;
}

const DEFAULT_NAMES: WorkspaceNames = {
  team_id: "T0CROSSZONE",
  name: "Crosszone Dev",
  bot_user_id: "U0CROSSZONE",
  bot_id: "B0CROSSZONE",
};

/**
 * Returns the initial workspace of every run, always with the same ids, so that tests can name them. It has three people in three time
 * zones, a guest, a deactivated person, another bot, a partner from another team with a shared channel, and a stranger from a third team
 * without one. The bot is in `general`, `leads`, `old-project` (archived), `partners` (Slack Connect, made by the partner) and a direct message
 * with each person, but not in `random`. Each call returns a new copy. Workspaces with different `names` have the same people and conversations, with
 * the same ids.
 */
export function seedWorkspace(names: WorkspaceNames = DEFAULT_NAMES): Workspace {
  const { team_id: id, name, organization, bot_user_id, bot_id } = names;
  return {
    team: { id, name, domain: name.toLowerCase().replaceAll(" ", "-") },
    ...(organization && { organization }),
    app: { app_id: "A0CROSSZONE", bot_user_id, bot_id, name: "Crosszone" },
    partners: [
      { id: PARTNERS, name: "Partner Ltd", domain: "partner-ltd" },
      { id: OTHERS, name: "Strangers Inc", domain: "strangers-inc" },
    ],
    users: seedUsers(names),
    channels: seedChannels(bot_user_id),
  };
}

function seedUsers({ bot_user_id, bot_id }: WorkspaceNames): User[] {
  return [
    member(ALICE, "alice", "Alice Berger", "Europe/Berlin"),
    member(BOB, "bob", "Bob Carter", "America/New_York"),
    member(CHIYO, "chiyo", "佐藤 千代", "Asia/Tokyo"),
    { ...member(GUEST, "gus", "Gus Guest", "Europe/London"), is_restricted: true },
    { ...member(GONE, "dana", "Dana Gone", "Europe/Paris"), deleted: true },
    { ...person(PARTNER, "paula", "Paula Partner", "Europe/Lisbon"), team_id: PARTNERS },
    {
      ...person(STRANGER, "stranger", "Sam Stranger", "America/Los_Angeles"),
      is_stranger: true,
      team_id: OTHERS,
    },
    { ...person(bot_user_id, "crosszone", "Crosszone", "Etc/UTC"), is_bot: true, bot_id },
    { ...person(DEPLOYBOT, "deploybot", "Deploybot", "Etc/UTC"), is_bot: true, bot_id: "B0DEPLOYBOT" },
  ];
}

type Named = [id: string, name: string, real_name: string, tz: string];

const person = (...[id, name, real_name, tz]: Named): User => ({ id, name, real_name, is_bot: false, tz });

/** Returns a person of the workspace itself, whose e-mail address the app can read. */
const member = (...own: Named): User => ({ ...person(...own), email: `${own[1]}@example.com` });

function seedChannels(bot: string): Channel[] {
  const everyone = [ALICE, BOB, CHIYO, GUEST, GONE, DEPLOYBOT];
  return [
    { id: "C0GENERAL01", name: "general", kind: "channel", members: [...everyone, bot] },
    { id: "C0RANDOM001", name: "random", kind: "channel", members: everyone },
    { id: "C0PRIVATE01", name: "leads", kind: "group", members: [ALICE, BOB, bot] },
    { id: "C0ARCHIVE01", name: "old-project", kind: "channel", members: [...everyone, bot], is_archived: true },
    {
      id: "C0SHARED001",
      name: "partners",
      kind: "channel",
      members: [ALICE, BOB, PARTNER, bot],
      is_ext_shared: true,
      team_id: PARTNERS,
    },
    { id: "G0MPIM00001", name: "mpdm-alice--bob--crosszone-1", kind: "mpim", members: [ALICE, BOB, bot] },
    directMessage("D0ALICE0001", [ALICE, bot]),
    directMessage("D0BOB000001", [BOB, bot]),
    directMessage("D0CHIYO0001", [CHIYO, bot]),
    directMessage("D0GUEST0001", [GUEST, bot]),
    directMessage("D0GONE00001", [GONE, bot]),
    { ...directMessage("D0STRANGER1", [STRANGER, bot]), is_ext_shared: true },
    { ...directMessage("D0PARTNER01", [PARTNER, bot]), is_ext_shared: true },
  ];
}

function directMessage(id: string, members: string[]): Channel {
  return { id, name: "", kind: "im", members };
}
