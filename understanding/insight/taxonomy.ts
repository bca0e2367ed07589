/** Of the list below; a change of it is a new number. */
export const TAXONOMY_VERSION = 1;

/** The 40 identifiers of `contact_center` (interface specification, 2.7). */
export const LABELS = [
  "billing_invoice_query",
  "billing_dispute",
  "billing_error",
  "billing_payment_method",
  "billing_debt",
  "billing_refund",
  "billing_tariff_change",
  "contract_new",
  "contract_cancel",
  "contract_port",
  "contract_renewal",
  "contract_holder_change",
  "contract_modify",
  "contract_promotion",
  "tech_outage",
  "tech_degraded",
  "tech_configuration",
  "tech_installation",
  "tech_equipment_fault",
  "tech_equipment_replace",
  "info_product",
  "account_data_change",
  "account_access",
  "logistics_appointment",
  "logistics_delivery",
  "logistics_pickup",
  "assistance_roadside",
  "assistance_towing",
  "insurance_claim",
  "insurance_coverage",
  "complaint_formal",
  "complaint_service",
  "escalation_supervisor",
  "compliment",
  "retention",
  "sales_upsell",
  "survey",
  "call_misdirected",
  "call_transfer",
  "call_no_content",
] as const;

const KNOWN = new Set<string>(LABELS);

export function isLabel(label: string): label is (typeof LABELS)[number] {
  return KNOWN.has(label);
}
