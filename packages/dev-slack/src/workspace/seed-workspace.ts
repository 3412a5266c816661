import type { Channel, User, Workspace } from "../control/protocol.ts";

const BOT = "U0CROSSZONE";
const ALICE = "U0ALICE0001";
const BOB = "U0BOB000001";
const CHIYO = "U0CHIYO0001";
const GUEST = "U0GUEST0001";
const GONE = "U0GONE00001";
const PARTNER = "U0PARTNER01";
const STRANGER = "U0STRANGER1";
const DEPLOYBOT = "U0DEPLOYBOT";

/**
 * The workspace every run starts with, always with the same ids, so that tests can name them.
 * Three people in three time zones, a guest, a deactivated person, a partner of another team who shares a channel with them, a
 * stranger of a third team who shares none, another bot;
 * the bot is in `general`, `leads`, `old-project` (archived), `partners` (Slack Connect) and a direct message with each person,
 * and not in `random`. Each call returns a fresh copy.
 */
export function seedWorkspace(): Workspace {
  return {
    team: { id: "T0CROSSZONE", name: "Crosszone Dev", domain: "crosszone-dev" },
    app: { app_id: "A0CROSSZONE", bot_user_id: BOT, bot_id: "B0CROSSZONE", name: "Crosszone" },
    users: seedUsers(),
    channels: seedChannels(),
  };
}

function seedUsers(): User[] {
  return [
    { id: ALICE, name: "alice", real_name: "Alice Berger", is_bot: false, tz: "Europe/Berlin" },
    { id: BOB, name: "bob", real_name: "Bob Carter", is_bot: false, tz: "America/New_York" },
    { id: CHIYO, name: "chiyo", real_name: "佐藤 千代", is_bot: false, tz: "Asia/Tokyo" },
    { id: GUEST, name: "gus", real_name: "Gus Guest", is_bot: false, is_restricted: true, tz: "Europe/London" },
    { id: GONE, name: "dana", real_name: "Dana Gone", is_bot: false, deleted: true, tz: "Europe/Paris" },
    {
      id: PARTNER,
      name: "paula",
      real_name: "Paula Partner",
      is_bot: false,
      team_id: "T0PARTNERS1",
      tz: "Europe/Lisbon",
    },
    {
      id: STRANGER,
      name: "stranger",
      real_name: "Sam Stranger",
      is_bot: false,
      is_stranger: true,
      team_id: "T0OTHERTEAM",
      tz: "America/Los_Angeles",
    },
    { id: BOT, name: "crosszone", real_name: "Crosszone", is_bot: true, bot_id: "B0CROSSZONE", tz: "Etc/UTC" },
    { id: DEPLOYBOT, name: "deploybot", real_name: "Deploybot", is_bot: true, bot_id: "B0DEPLOYBOT", tz: "Etc/UTC" },
  ];
}

function seedChannels(): Channel[] {
  const everyone = [ALICE, BOB, CHIYO, GUEST, GONE, DEPLOYBOT];
  return [
    { id: "C0GENERAL01", name: "general", kind: "channel", members: [...everyone, BOT] },
    { id: "C0RANDOM001", name: "random", kind: "channel", members: everyone },
    { id: "C0PRIVATE01", name: "leads", kind: "group", members: [ALICE, BOB, BOT] },
    { id: "C0ARCHIVE01", name: "old-project", kind: "channel", members: [...everyone, BOT], is_archived: true },
    { id: "C0SHARED001", name: "partners", kind: "channel", members: [ALICE, BOB, PARTNER, BOT], is_ext_shared: true },
    { id: "G0MPIM00001", name: "mpdm-alice--bob--crosszone-1", kind: "mpim", members: [ALICE, BOB, BOT] },
    directMessage("D0ALICE0001", ALICE),
    directMessage("D0BOB000001", BOB),
    directMessage("D0CHIYO0001", CHIYO),
    directMessage("D0GUEST0001", GUEST),
    directMessage("D0GONE00001", GONE),
    { ...directMessage("D0STRANGER1", STRANGER), is_ext_shared: true },
    { ...directMessage("D0PARTNER01", PARTNER), is_ext_shared: true },
  ];
}

function directMessage(id: string, user: string): Channel {
  return { id, name: "", kind: "im", members: [user, BOT] };
}
