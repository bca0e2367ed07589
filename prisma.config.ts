import { defineConfig } from "prisma/config";

// For Prisma's own command (`npx prisma migrate deploy`, `migrate diff`), which carries on from `escriba migrate`.
export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.ESCRIBA_DATABASE_URL ?? "" },
});
