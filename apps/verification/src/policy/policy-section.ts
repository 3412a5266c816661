import { isPolicySection, type PolicySection } from "@crosszone/contracts";
import { digestOf } from "@crosszone/ops/settings";
import { settingsRow } from "@crosszone/service-kit/settings";
import type { AccessPolicy } from "./rules.ts";

/** Returns a policy whose absent members have their defaults. */
export const policyOf = (section: object): AccessPolicy => readPolicy(isPolicySection.filled(section));

function readPolicy(section: PolicySection): AccessPolicy {
  return {
    ...section,
    allowed_teams: new Set(section.allowed_teams),
    allowed_channels: new Set(section.allowed_channels),
    allowed_users: new Set(section.allowed_users),
    channel_agents: mapOf(section.channel_agents),
    channel_follow: mapOf(section.channel_follow),
    apps: new Set(section.apps),
    reactions: mapOf(section.reactions),
    file_types: section.file_types.map((type) => type.toLowerCase()),
    written: section,
    digest: digestOf(section),
  };
}

const mapOf = <Value>(members: Readonly<Record<string, Value | undefined>>): ReadonlyMap<string, Value> =>
  new Map(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));

/** The sections of the verification zone. */
export const verificationSections = {
  policy: settingsRow({ schema: isPolicySection, absent: {}, check: readPolicy }),
};

/** What each section decides. */
export interface VerificationSettings {
  readonly policy: AccessPolicy;
}
