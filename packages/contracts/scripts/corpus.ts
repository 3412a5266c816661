/** `@crosszone/contracts/corpus`: the contract and the test data in schemas/fixtures, for tests of any package. Not published. */
export { readCases, readCorpus, type Case, type TypedCase } from "./read-cases.ts";
export { readContract } from "./read-contract.ts";
export {
  readExchanges,
  readRpcExamples,
  type Exchange,
  type ExchangeAnswer,
  type RpcExample,
} from "./read-corpus-file.ts";
