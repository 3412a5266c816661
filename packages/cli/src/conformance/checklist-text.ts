import { checklist } from "@crosszone/conformance";
import { protocolName } from "./protocol-names.ts";

/** Returns every check with its level, protocols, rule and source. */
export function checklistText(): string {
  const items = checklist.map(({ id, title, rule, protocols }) => {
    const where = protocols.map(({ protocol, level, source }) => `  ${protocolName(protocol)}, ${level}: ${source}\n`);
    return `${id}: ${title}\n  ${rule}\n${where.join("")}`;
  });
  return `${items.join("\n")}\n${checklist.length} checks.\n`;
}
