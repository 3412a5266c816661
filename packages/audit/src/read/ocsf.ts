import type { AuditRecord } from "@crosszone/contracts";

/** Activities of the class by the last word of an action. Others are 99, other. */
const activities: Readonly<Record<string, number>> = { create: 1, read: 2, list: 2, update: 3, delete: 4 };

/** Returns an event as OCSF API Activity. https://schema.ocsf.io/1.3.0/classes/api_activity */
export function toOcsf({ event, position, leaf, content }: AuditRecord): Readonly<Record<string, unknown>> {
  const { id, at, action, outcome, actor, target, surface, correlation_id, policy, details } = event;
  const activity = activities[action.slice(action.lastIndexOf(".") + 1)] ?? 99;
  return {
    class_uid: 6003,
    category_uid: 6,
    activity_id: activity,
    type_uid: 600_300 + activity,
    time: Date.parse(at),
    severity_id: 1,
    status_id: outcome === "done" ? 1 : 2,
    status_detail: outcome,
    metadata: { version: "1.3.0", uid: id, correlation_uid: correlation_id, product: { name: "Crosszone" } },
    actor: {
      user: { uid: actor.id, type: actor.type, org: actor.team === undefined ? undefined : { uid: actor.team } },
    },
    api: { operation: action },
    src_endpoint: { name: surface, ip: content?.members["address"] },
    http_request: content && { user_agent: content.members["client"] },
    resources: [{ uid: target.id, type: target.type }],
    unmapped: { position, leaf, policy, details, content: content?.members },
  };
}
