import { createRecordCodec } from "@crosszone/service-kit";
import type { Database, OwnedData } from "@crosszone/sql";
import { createAppendAudit } from "./append-audit.ts";
import { zoneAct } from "./author-act.ts";

/** Returns a zone's data, with what operators do to it in the zone's audit log before it begins. */
export function auditData<Tables>(data: OwnedData, zone: string, { db, engine }: Database<Tables>): OwnedData {
  const append = createAppendAudit({ engine, codec: createRecordCodec(undefined) });
  const did = (action: string, id: string) => append(db, [zoneAct(zone, { action, target: { type: "team", id } })]);
  return {
    ...data,
    rows: async function* (team) {
      await did("data.export", team);
      yield* data.rows(team);
    },
    purge: async (team) => {
      await did("data.purge", team);
      return data.purge(team);
    },
    reseal: async () => {
      await did("data.reseal", "*");
      return data.reseal();
    },
  };
}
