import { hash, randomUUID } from "node:crypto";
import { sql, type RawBuilder } from "kysely";

/**
 * Returns the body of the recursive table `lanes(lane, round)`. It finds each lane once, with one index lookup, so that a long lane costs no
 * more than a short one. It starts at a random lane, so that no lane starves. Some rows have a null lane. `next` selects the first lane after
 * a given one, or null. The table is empty unless `when` holds.
 * https://wiki.postgresql.org/wiki/Loose_indexscan
 */
export function walkLanes(
  next: (after: RawBuilder<string>) => RawBuilder<string | null>,
  when: RawBuilder<boolean>,
): RawBuilder<unknown> {
  // Lanes are digests of this form.
  const start = hash("sha256", randomUUID(), "base64url");
  return sql`
    select cast(${start} as text), 0 where ${when}
    union all
    select (${next(sql`coalesce(lanes.lane, '')`)}), lanes.round + case when lanes.lane is null then 1 else 0 end
    from lanes where lanes.round = 0 or lanes.lane < ${start}`;
}
