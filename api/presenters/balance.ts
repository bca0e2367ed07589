import type { Balance } from "../../billing/credit.ts";
import { wireEur } from "../../billing/money.ts";
import type { Organization } from "../../storage/organizations.ts";

export function presentBalance({ balance }: Balance, { spendCapEur }: Organization) {
  return {
    balance_eur: wireEur(balance),
    currency: "EUR",
    spend_cap_eur: spendCapEur === null ? null : wireEur(spendCapEur),
    environment: "live",
  };
}
