import { hash, randomUUID } from "node:crypto";
import { sql, type RawBuilder } from "kysely";

/**
 * The body of the recursive table `lanes(lane, round)`: each lane once, found by one look at an index, so that a long lane costs no
 * more than a short one. It begins at a random lane, so that none waits for others that are always before it. Some rows name no lane.
 * `next` selects the first lane after the one that it is given, or null; nothing is walked unless `when` holds.
 * https://wiki.postgresql.org/wiki/Loose_indexscan
 */
export function walkLanes(
  next: (after: RawBuilder<string>) => RawBuilder<string | null>,
  when: RawBuilder<boolean>,
): RawBuilder<unknown> {
  // Lanes are digests of this kind.
  const start = hash("sha256", randomUUID(), "base64url");
  return sql`
    select cast(${start} as text), 0 where ${when}
    union all
    select (${next(sql`coalesce(lanes.lane, '')`)}), lanes.round + case when lanes.lane is null then 1 else 0 end
    from lanes where lanes.round = 0 or lanes.lane < ${start}`;
}
