import { migrationsContract } from "@crosszone/sql/testing";
import { deadLettersStep } from "./dead-letters.ts";

migrationsContract({ "0001_dead_letters": deadLettersStep });
