import { expect, test } from "vitest";
import { readCard } from "./read-card.ts";

const card = { url: "https://agent.example.com", protocolVersion: "0.3.0" };

test.each([
  [{ defaultInputModes: ["text/plain"] }, ["text/plain"]],
  [
    {
      defaultInputModes: ["text/plain"],
      skills: [{ inputModes: ["application/pdf", 7] }, { inputModes: "image/png" }, {}, null],
    },
    ["text/plain", "application/pdf"],
  ],
  [{ skills: [{ inputModes: ["image/*"] }] }, ["image/*"]],
  [{ inputModes: undefined }, []],
])("I5: the input modes of %j combine those of the card and of its skills", (members, inputModes) => {
  expect(readCard({ ...card, ...members })?.inputModes).toEqual(inputModes);
});
