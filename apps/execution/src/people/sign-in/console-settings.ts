import { type ConsoleSection, isConsoleSection, isTokenScope, type TokenScope } from "@crosszone/contracts";
import { durationMs, durationProblem, isReadableOnTheWay } from "@crosszone/service-kit";
import { brokenMembers, settingsRow } from "@crosszone/service-kit/settings";
import { visibleLine } from "@crosszone/service-kit/text";

const slackClaim = "https://slack.com/user_id";
const slackTeamClaim = "https://slack.com/team_id";

/** What each role may do, the lowest first. A person gets the highest role below `auditor`, and `auditor` beside it. */
const scopesOfRoles = {
  viewer: ["runs:read"],
  operator: ["runs:read", "runs:act"],
  admin: ["runs:read", "runs:act", "agents:write", "tokens:write", "ask"],
  auditor: ["runs:read", "audit:read"],
} as const satisfies Record<string, readonly TokenScope[]>;

type Role = keyof typeof scopesOfRoles;

/** What the section `console` says: the identity provider, the roles of groups, the limits of a session in milliseconds. */
export type ConsoleSettings = Omit<ConsoleSection, "session"> & {
  readonly session: { readonly idle: number; readonly absolute: number };
};

/** The section of the settings. Without it, nobody signs in. */
export const consoleRow = settingsRow({
  schema: isConsoleSection,
  check: (section: ConsoleSection | undefined, { refuse }): ConsoleSettings | undefined => {
    if (section === undefined) return undefined;
    const { idle, absolute } = section.session;
    const [wrongIdle, wrongAbsolute] = [
      durationProblem(idle, { min: 60_000 }),
      durationProblem(absolute, { min: 60_000, max: 86_400_000 }),
    ];
    refuse(
      ...brokenMembers([
        [isReadableOnTheWay(section.issuer), "/issuer", "uses http: to another machine: use https:"],
        [!section.scopes.includes("openid"), "/scopes", "lacks the scope openid"],
        [Object.values(section.roles).every(({ length }) => length === 0), "/roles", "names no group"],
        [wrongIdle !== undefined, "/session/idle", wrongIdle],
        [wrongAbsolute !== undefined, "/session/absolute", wrongAbsolute],
      ]),
    );
    return { ...section, session: { idle: durationMs(idle), absolute: durationMs(absolute) } };
  },
});

/** What the claims of a verified sign-in say about a person. */
export interface Person {
  /** For people. The issuer and the subject identify the person. */
  readonly name: string;
  readonly groups: readonly string[];
  readonly slackUser?: string | undefined;
  readonly slackTeam?: string | undefined;
}

export interface Rights {
  readonly roles: readonly Role[];
  readonly scopes: readonly TokenScope[];
}

const everyScope = isTokenScope.schema.enum as readonly TokenScope[];

/** Returns what a person may do by the settings in force; undefined without any role. */
export function rightsOf({ roles: groupsOf, content }: ConsoleSettings, own: readonly string[]): Rights | undefined {
  const isIn = (named: readonly string[]): boolean => named.some((group) => own.includes(group));
  const highest = (["admin", "operator", "viewer"] as const).find((role) => isIn(groupsOf[role]));
  const roles = [highest, isIn(groupsOf.auditor) ? ("auditor" as const) : undefined].filter(
    (role) => role !== undefined,
  );
  if (roles.length === 0) return undefined;
  const given = new Set<TokenScope>(roles.flatMap((role): readonly TokenScope[] => scopesOfRoles[role]));
  if (isIn(content)) given.add("content:read");
  return { roles, scopes: everyScope.filter((scope) => given.has(scope)) };
}

type Claims = Readonly<Record<string, unknown>>;

/** More groups than a provider sends. */
const mostGroups = 1_000;

/** Returns the person of verified claims, or why the claims name no groups. */
export function personOf(settings: ConsoleSettings, claims: Claims): Person | "no_groups" | "overage" {
  const value = claimAt(claims, settings.groups_claim);
  const given = typeof value === "string" ? [value] : value;
  if (!Array.isArray(given)) return hasOverage(claims) ? "overage" : "no_groups";
  if (given.length > mostGroups) return "overage";
  const name = [claims["name"], claims["preferred_username"], claims["email"], claims["sub"]].find(isText) ?? "";
  const slackUser = claimAt(claims, settings.slack_claim);
  const teamClaim = settings.slack_team_claim ?? (settings.slack_claim === slackClaim ? slackTeamClaim : undefined);
  const slackTeam = teamClaim && claimAt(claims, teamClaim);
  return {
    name: visibleLine(name).slice(0, 80).toWellFormed(),
    groups: given.filter(isText),
    slackUser: isSlackId(slackUser) ? slackUser : undefined,
    slackTeam: isSlackId(slackTeam) ? slackTeam : undefined,
  };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isSlackId = (value: unknown): value is string => typeof value === "string" && /^[A-Z][A-Z0-9]{2,63}$/.test(value);

function claimAt(claims: Claims, path: string | readonly string[]): unknown {
  return [path].flat().reduce<unknown>((value, name) => {
    const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    return isObject ? (value as Claims)[name] : undefined;
  }, claims);
}

/** https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference: a person in too many groups. */
const hasOverage = ({ _claim_names: names, hasgroups }: Claims): boolean =>
  hasgroups !== undefined || (typeof names === "object" && names !== null && "groups" in names);
