export { transportContract, type Connect } from "./transport-contract.ts";
