// suite: both
import { migrationsContract } from "@crosszone/sql/testing";
import { executionMigrations } from "./migrations.ts";

migrationsContract(executionMigrations);
