import type { RecordAct } from "@crosszone/audit";
import type { Emit } from "@crosszone/service-kit";
import type { Clock } from "@crosszone/service-kit/timing";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Inbox } from "../inbox/inbox.ts";
import type { RatingStore } from "../inbox/rating-store.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import type { Limits } from "../limits.ts";
import type { PolicySource } from "../policy/access-policy.ts";

/** What several rooms of the zone need. Each room picks its parts. */
export interface ZoneParts {
  readonly inbox: Inbox;
  readonly threads: ThreadStore;
  readonly ratings: Pick<RatingStore, "put">;
  /** The policy: who can ask, the agents of channels, and the types of files. */
  readonly policy: PolicySource;
  readonly limits: Limits;
  readonly clock: Clock;
  /** Makes UUIDs. */
  readonly newId: () => string;
  readonly emit: Emit<VerificationEvent>;
  /** Appends an act to the audit log. */
  readonly recordAct: RecordAct;
  readonly tracer: Tracer;
}
