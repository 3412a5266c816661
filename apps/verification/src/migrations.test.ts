// suite: both
import { migrationsContract } from "@crosszone/sql/testing";
import { verificationMigrations } from "./database.ts";

migrationsContract(verificationMigrations);
