// suite: both
import { migrationsContract } from "@crosszone/sql/testing";
import { executionMigrations } from "./open-execution-database.ts";

migrationsContract(executionMigrations);
