import { consumerGroups, type ChannelName, type KafkaGateway } from "@crosszone/kafka-gateway";
import type { ZoneData } from "@crosszone/service-kit/data";

/**
 * Returns the dead letters of all channels. A dead letter's name is its channel, a slash and its id. Calls `connect` on
 * first use.
 */
export function createBusDeadLetters(
  connect: () => Promise<Pick<KafkaGateway, "deadLetters">>,
): NonNullable<ZoneData["deadLetters"]> {
  const all = Object.keys(consumerGroups) as ChannelName[];
  return {
    list: async (most) => {
      const { deadLetters } = await connect();
      const kept = await Promise.all(all.map((channel) => deadLetters.list(channel, most)));
      return kept.flat().map(({ channel, id, group, at, attempts, reason }) => ({
        id: `${channel}/${id}`,
        group,
        age_ms: Math.max(0, Date.now() - at),
        attempts,
        why: reason,
      }));
    },
    replay: async (named) => {
      const { deadLetters } = await connect();
      const [name, id = ""] = named.split("/");
      const chosen = all.filter((channel) => named === "all" || channel === name);
      const counts = await Promise.all(
        chosen.map((channel) => deadLetters.replay(channel, named === "all" ? "all" : [id])),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}
